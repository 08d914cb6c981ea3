package roll.template.jinja.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** Python's numbers: integers of any size, floats, and booleans, which are 0 and 1. */
public final class Numbers {
  private static final int LONGEST_POWER = 100_000;

  private Numbers() {}

  /** Whether {@code value} is a number, or a boolean, which Python counts as one. */
  public static boolean isNumber(Object value) {
    return isInteger(value) || value instanceof Double;
  }

  /** Whether the value is an int or a bool of Python. */
  public static boolean isInteger(Object value) {
    return value instanceof Long || value instanceof BigInteger || value instanceof Boolean;
  }

  /** Returns the integer as a template value: a {@link Long} where it fits. */
  public static Object of(BigInteger number) {
    return number.bitLength() < Long.SIZE ? (Object) number.longValue() : number;
  }

  /** Returns the integer value of an int or bool. */
  static BigInteger integer(Object value) {
    return switch (value) {
      case Boolean truth -> truth ? BigInteger.ONE : BigInteger.ZERO;
      case Long number -> BigInteger.valueOf(number);
      case BigInteger number -> number;
      default ->
          throw new TemplateException(
              "'" + Types.name(value) + "' object cannot be interpreted as an integer");
    };
  }

  /** An int or bool that has to be small, such as an index or a width. */
  public static int index(Object value) {
    try {
      return integer(value).intValueExact();
    } catch (ArithmeticException e) {
      throw new TemplateException("the number " + value + " is too large here");
    }
  }

  static double real(Object value) {
    return value instanceof Double number ? number : integer(value).doubleValue();
  }

  /** Compares two numbers by their exact values; NaN is above all. */
  static int compare(Object a, Object b) {
    if (a instanceof Long one && b instanceof Long other) {
      return Long.compare(one, other);
    }
    if (isSpecial(a) || isSpecial(b)) {
      return Double.compare(real(a), real(b));
    }
    return exact(a).compareTo(exact(b));
  }

  private static boolean isSpecial(Object value) {
    return value instanceof Double number && !Double.isFinite(number);
  }

  private static BigDecimal exact(Object value) {
    return value instanceof Double number ? new BigDecimal(number) : new BigDecimal(integer(value));
  }

  /** Calculates {@code a operator b} for the operators of numbers. */
  static Object calculate(String operator, Object a, Object b) {
    if (operator.equals("/")) {
      return divide(real(a), b);
    }
    return a instanceof Double || b instanceof Double
        ? calculateReal(operator, real(a), real(b))
        : calculateInteger(operator, integer(a), integer(b));
  }

  private static double divide(double a, Object b) {
    refuseZero(real(b) == 0);
    return a / real(b);
  }

  private static Object calculateInteger(String operator, BigInteger a, BigInteger b) {
    return switch (operator) {
      case "+" -> of(a.add(b));
      case "-" -> of(a.subtract(b));
      case "*" -> of(a.multiply(b));
      case "//" -> {
        refuseZero(b.signum() == 0);
        yield of(a.subtract(floorMod(a, b)).divide(b));
      }
      case "%" -> {
        refuseZero(b.signum() == 0);
        yield of(floorMod(a, b));
      }
      case "**" ->
          b.signum() < 0 ? (Object) Math.pow(a.doubleValue(), b.doubleValue()) : power(a, b);
      default -> throw new IllegalArgumentException(operator);
    };
  }

  /** Returns the remainder with the sign of the divisor. */
  private static BigInteger floorMod(BigInteger a, BigInteger b) {
    BigInteger rest = a.mod(b.abs());
    return b.signum() < 0 && rest.signum() != 0 ? rest.add(b) : rest;
  }

  private static Object power(BigInteger base, BigInteger exponent) {
    if (exponent.bitLength() >= Integer.SIZE
        || (long) base.bitLength() * exponent.intValue() > LONGEST_POWER) {
      throw new TemplateException("the power " + base + " ** " + exponent + " is too large");
    }
    return of(base.pow(exponent.intValue()));
  }

  private static Object calculateReal(String operator, double a, double b) {
    return switch (operator) {
      case "+" -> a + b;
      case "-" -> a - b;
      case "*" -> a * b;
      case "//" -> {
        refuseZero(b == 0);
        yield Math.floor(a / b);
      }
      case "%" -> {
        refuseZero(b == 0);
        double rest = a % b;
        yield rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
      }
      case "**" -> Math.pow(a, b);
      default -> throw new IllegalArgumentException(operator);
    };
  }

  private static void refuseZero(boolean zero) {
    if (zero) {
      throw new TemplateException("division by zero");
    }
  }

  /** Returns {@code −a}. */
  static Object negate(Object a) {
    return a instanceof Double number ? (Object) (-number) : of(integer(a).negate());
  }

  /** Rounds to {@code digits} decimal places, halves to the even neighbor; an integer stays one. */
  static Object round(Object a, int digits) {
    if (isSpecial(a)) {
      return a;
    }
    BigDecimal rounded = exact(a).setScale(digits, RoundingMode.HALF_EVEN);
    return a instanceof Double ? (Object) rounded.doubleValue() : of(rounded.toBigInteger());
  }

  /** A float as Python prints it: the shortest digits that read back as the same number. */
  static String text(double number) {
    if (Double.isNaN(number)) {
      return "nan";
    }
    if (Double.isInfinite(number)) {
      return number > 0 ? "inf" : "-inf";
    }
    BigDecimal decimal = new BigDecimal(Double.toString(number)).stripTrailingZeros();
    int exponent = decimal.precision() - decimal.scale() - 1;
    if (number == 0) {
      return 1 / number < 0 ? "-0.0" : "0.0";
    }
    if (exponent >= -4 && exponent < 16) {
      String plain = decimal.toPlainString();
      return plain.contains(".") ? plain : plain + ".0";
    }
    String digits = decimal.unscaledValue().abs().toString();
    return (number < 0 ? "-" : "")
        + digits.charAt(0)
        + (digits.length() > 1 ? "." + digits.substring(1) : "")
        + "e"
        + (exponent < 0 ? "-" : "+")
        + (Math.abs(exponent) < 10 ? "0" : "")
        + Math.abs(exponent);
  }
}
