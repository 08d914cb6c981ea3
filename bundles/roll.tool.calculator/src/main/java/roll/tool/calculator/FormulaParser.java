package roll.tool.calculator;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import roll.tool.calculator.Formula.Call;
import roll.tool.calculator.Formula.Literal;
import roll.tool.calculator.Formula.Symbol;

/** Parses expressions in Python's syntax, with ^ for ** and implicit multiplication. */
final class FormulaParser {
  private static final int DEEPEST = 60;
  private static final int DIGITS = 1_000;
  private static final int LARGEST_EXPONENT = 300;

  private static final Pattern PIECE =
      Pattern.compile(
          "(?<number>(?:\\d[\\d_]*+(?:\\.\\d*+)?+|\\.\\d++)(?:[eE][-+]?\\d++)?+)"
              + "|(?<name>[A-Za-z][A-Za-z0-9_]*+)|(?<sign>\\*\\*|//|[-+*/%^()!,])");

  private static final Pattern EXPONENT = Pattern.compile("[eE]");

  private final String text;
  private final List<String> pieces = new ArrayList<>();
  private int at;
  private int depth;

  FormulaParser(String text) throws CalculationException {
    this.text = text.replace('×', '*').replace('÷', '/').replace('−', '-').replace("π", "pi");
    cut();
  }

  private void cut() throws CalculationException {
    Matcher piece = PIECE.matcher(text);
    for (int i = 0; i < text.length(); i = piece.end()) {
      while (i < text.length() && Character.isWhitespace(text.charAt(i))) {
        i++;
      }
      if (i == text.length()) {
        return;
      }
      if (!piece.region(i, text.length()).lookingAt()) {
        throw new CalculationException(
            "'" + Character.toString(text.codePointAt(i)) + "' has no meaning in an expression");
      }
      pieces.add(piece.group());
    }
  }

  /** Parses the complete text. */
  Formula all() throws CalculationException {
    Formula formula = sum();
    if (peek().equals(",")) {
      throw new CalculationException(
          "',' stands between the arguments of a function only; write 1000 for 1,000");
    }
    if (!peek().isEmpty()) {
      throw new CalculationException("'" + peek() + "' is not expected after what precedes it");
    }
    return formula;
  }

  private Formula sum() throws CalculationException {
    if (++depth > DEEPEST) {
      throw new CalculationException("more than " + DEEPEST + " levels of brackets and powers");
    }
    Formula total = product();
    while (peek().equals("+") || peek().equals("-")) {
      CalculatorFunction function =
          next().equals("+") ? CalculatorFunction.ADD : CalculatorFunction.SUBTRACT;
      total = call(function, total, product());
    }
    depth--;
    return total;
  }

  private Formula product() throws CalculationException {
    Formula total = signed();
    while (true) {
      CalculatorFunction function =
          switch (peek()) {
            case "*" -> CalculatorFunction.MULTIPLY;
            case "/" -> CalculatorFunction.DIVIDE;
            case "//" -> CalculatorFunction.FLOOR_DIVIDE;
            case "%" -> CalculatorFunction.MOD;
            default -> null;
          };
      if (function != null) {
        next();
        total = call(function, total, signed());
      } else if (starts(peek()) && !digit(peek())) {
        total = call(CalculatorFunction.MULTIPLY, total, power());
      } else {
        return total;
      }
    }
  }

  private Formula signed() throws CalculationException {
    int minus = 0;
    while (peek().equals("-") || peek().equals("+")) {
      minus += next().equals("-") ? 1 : 0;
    }
    Formula formula = power();
    return minus % 2 == 0 ? formula : call(CalculatorFunction.NEGATE, formula);
  }

  private Formula power() throws CalculationException {
    Formula base = postfix();
    if (!peek().equals("**") && !peek().equals("^")) {
      return base;
    }
    next();
    if (++depth > DEEPEST) {
      throw new CalculationException("more than " + DEEPEST + " levels of brackets and powers");
    }
    Formula exponent = signed();
    depth--;
    return call(CalculatorFunction.POWER, base, exponent);
  }

  /** Parses factorials, and percent signs without an operand after them. */
  private Formula postfix() throws CalculationException {
    Formula base = primary();
    while (true) {
      if (peek().equals("!")) {
        next();
        base = call(CalculatorFunction.FACTORIAL, base);
      } else if (peek().equals("%") && !starts(peek(1)) && !peek(1).equals("-")) {
        next();
        base = call(CalculatorFunction.DIVIDE, base, new Literal(BigInteger.valueOf(100), -1));
      } else {
        return base;
      }
    }
  }

  private Formula primary() throws CalculationException {
    String piece = next();
    if (piece.equals("(")) {
      Formula inner = sum();
      expect(")");
      return inner;
    }
    if (digit(piece)) {
      return number(piece);
    }
    if (!starts(piece)) {
      throw new CalculationException(
          piece.isEmpty()
              ? "the expression ends too early"
              : "'" + piece + "' where a value should be");
    }
    if (!peek().equals("(")) {
      return new Symbol(piece);
    }
    CalculatorFunction function = CalculatorFunction.named(piece).orElse(null);
    if (function != null) {
      return arguments(piece, function);
    }
    if (piece.length() == 1) {
      return new Symbol(piece);
    }
    throw new CalculationException(
        "there is no function '" + piece + "'; there are " + CalculatorFunction.known());
  }

  private Formula arguments(String name, CalculatorFunction function) throws CalculationException {
    expect("(");
    List<Formula> arguments = new ArrayList<>();
    do {
      arguments.add(sum());
    } while (skip(","));
    expect(")");
    if (!function.takes(arguments.size())) {
      throw new CalculationException(
          name + " takes " + function.count() + ", found " + arguments.size());
    }
    return new Call(function, List.copyOf(arguments));
  }

  private static Formula number(String piece) throws CalculationException {
    String[] parts = EXPONENT.split(piece.replace("_", ""), 2);
    int point = parts[0].indexOf('.');
    String digits = parts[0].replace(".", "");
    int exponent = parts.length < 2 ? 0 : exponent(parts[1]);
    if (digits.length() > DIGITS) {
      throw new CalculationException("a number with more than " + DIGITS + " digits");
    }
    int scale = (point < 0 ? 0 : parts[0].length() - point - 1) - exponent;
    boolean whole = point < 0 && parts.length < 2;
    BigInteger value = new BigInteger(digits);
    return scale < 0
        ? new Literal(value.multiply(BigInteger.TEN.pow(-scale)), 0)
        : new Literal(value, whole ? -1 : scale);
  }

  private static int exponent(String digits) throws CalculationException {
    if (digits.length() > 4 || Math.abs(Integer.parseInt(digits)) > LARGEST_EXPONENT) {
      throw new CalculationException("an exponent beyond " + LARGEST_EXPONENT);
    }
    return Integer.parseInt(digits);
  }

  private static Formula call(CalculatorFunction function, Formula... arguments) {
    return new Call(function, List.of(arguments));
  }

  /** Returns whether a value can begin with {@code piece}. */
  private static boolean starts(String piece) {
    return piece.equals("(")
        || digit(piece)
        || (!piece.isEmpty() && Character.isLetter(piece.charAt(0)));
  }

  private static boolean digit(String piece) {
    return !piece.isEmpty() && (Character.isDigit(piece.charAt(0)) || piece.charAt(0) == '.');
  }

  private void expect(String sign) throws CalculationException {
    if (!skip(sign)) {
      throw new CalculationException("'" + sign + "' is missing");
    }
  }

  private boolean skip(String sign) {
    boolean there = peek().equals(sign);
    at += there ? 1 : 0;
    return there;
  }

  private String next() {
    String piece = peek();
    at++;
    return piece;
  }

  private String peek() {
    return peek(0);
  }

  /** Returns the token {@code ahead}; empty after the last one. */
  private String peek(int ahead) {
    return at + ahead < pieces.size() ? pieces.get(at + ahead) : "";
  }
}
