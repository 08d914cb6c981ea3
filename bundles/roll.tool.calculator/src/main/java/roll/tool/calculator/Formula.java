package roll.tool.calculator;

import java.math.BigInteger;
import java.util.List;

/** An expression as it was written. */
sealed interface Formula {
  /** Longer ones are refused. */
  int LONGEST = 2_000;

  /**
   * A number.
   *
   * @param scale how many of the digits follow a decimal point; −1 where there is none
   */
  record Literal(BigInteger digits, int scale) implements Formula {}

  /** A variable or a constant. */
  record Symbol(String name) implements Formula {}

  /** An operation or a function. */
  record Call(Function function, List<Formula> arguments) implements Formula {}

  /**
   * What {@code text} says.
   *
   * @throws Refused if it is no expression, or names a function that is not known
   */
  static Formula parse(String text) throws Refused {
    if (text.isBlank()) {
      throw new Refused("the expression is empty");
    }
    if (text.length() > LONGEST) {
      throw new Refused(
          "the expression has " + text.length() + " characters, " + LONGEST + " are allowed");
    }
    return new FormulaParser(text).all();
  }

  /** Whether a number in it was written with a decimal point. */
  default boolean decimal() {
    return switch (this) {
      case Literal literal -> literal.scale() >= 0;
      case Symbol symbol -> false;
      case Call call -> call.arguments().stream().anyMatch(Formula::decimal);
    };
  }
}
