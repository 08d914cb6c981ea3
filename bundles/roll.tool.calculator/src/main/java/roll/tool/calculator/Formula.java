package roll.tool.calculator;

import java.math.BigInteger;
import java.util.List;

/** A parsed arithmetic expression. */
sealed interface Formula {
  /** Maximum length of an expression in characters. */
  int LONGEST = 2_000;

  /**
   * A number literal.
   *
   * @param scale number of digits after the decimal point; −1 without one
   */
  record Literal(BigInteger digits, int scale) implements Formula {}

  /** A variable or a constant. */
  record Symbol(String name) implements Formula {}

  /** A call of an operator or a function. */
  record Call(CalculatorFunction function, List<Formula> arguments) implements Formula {}

  /**
   * Parses the arithmetic expression {@code text}.
   *
   * @throws CalculationException if it is not an expression, or names an unknown function
   */
  static Formula parse(String text) throws CalculationException {
    if (text.isBlank()) {
      throw new CalculationException("the expression is empty");
    }
    if (text.length() > LONGEST) {
      throw new CalculationException(
          "the expression has " + text.length() + " characters, " + LONGEST + " are allowed");
    }
    return new FormulaParser(text).all();
  }

  /** Returns whether the formula contains a number with a decimal point. */
  default boolean decimal() {
    return switch (this) {
      case Literal literal -> literal.scale() >= 0;
      case Symbol symbol -> false;
      case Call call -> call.arguments().stream().anyMatch(Formula::decimal);
    };
  }
}
