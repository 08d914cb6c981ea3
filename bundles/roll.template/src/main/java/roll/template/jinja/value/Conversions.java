package roll.template.jinja.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The filters {@code int}, {@code float} and {@code round}. */
public final class Conversions {
  private Conversions() {}

  /** Converts the value to an integer; {@code standard} if it cannot be one. */
  public static Object integer(Object value, Object standard, Object base) {
    if (Numbers.isInteger(value)) {
      return Numbers.of(Numbers.integer(value));
    }
    BigInteger whole = Text.is(value) ? parse(Text.of(value), Numbers.index(base)) : null;
    if (whole != null) {
      return Numbers.of(whole);
    }
    Object real = real(value, standard);
    return real instanceof Double number && Double.isFinite(number)
        ? Numbers.of(new BigDecimal(number).toBigInteger())
        : standard;
  }

  private static @Nullable BigInteger parse(String text, int base) {
    String digits = StringMethods.strip(text, None.NONE, true, true).toLowerCase(Locale.ROOT);
    String sign = digits.startsWith("-") || digits.startsWith("+") ? digits.substring(0, 1) : "";
    digits = digits.substring(sign.length());
    String prefix = base == 16 ? "0x" : base == 8 ? "0o" : base == 2 ? "0b" : "none";
    digits = digits.startsWith(prefix) ? digits.substring(2) : digits;
    try {
      boolean plain = !digits.isEmpty() && Character.isLetterOrDigit(digits.charAt(0));
      return plain ? new BigInteger(sign + digits.replace("_", ""), base) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** The value as a float, {@code standard} if it cannot be one; the standard 0 is 0.0. */
  public static Object real(Object value, Object standard) {
    if (value instanceof Undefined undefined) {
      throw undefined.failure();
    }
    if (Numbers.isNumber(value)) {
      return Numbers.real(value);
    }
    String text = Text.is(value) ? StringMethods.strip(Text.of(value), None.NONE, true, true) : "";
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "nan" -> Double.NaN;
      case "inf", "+inf", "infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      default -> {
        boolean number =
            text.matches("[-+]?(\\d[\\d_]*+(\\.[\\d_]*+)?+|\\.\\d[\\d_]*+)([eE][-+]?\\d+)?");
        Object otherwise = standard.equals(0L) ? (Object) 0.0 : standard;
        yield number ? (Object) Double.valueOf(text.replace("_", "")) : otherwise;
      }
    };
  }

  /** Rounds the number to {@code digits} places. */
  public static Object round(Object value, int digits, String method) {
    if (value instanceof Undefined undefined) {
      throw undefined.failure();
    }
    if (!Numbers.isNumber(value)) {
      throw new TemplateException("type " + Types.name(value) + " doesn't define __round__ method");
    }
    double scale = Math.pow(10, digits);
    return switch (method) {
      case "common" -> Numbers.round(value, digits);
      case "ceil" -> Math.ceil(Numbers.real(value) * scale) / scale;
      case "floor" -> Math.floor(Numbers.real(value) * scale) / scale;
      default -> throw new TemplateException("method must be common, ceil or floor");
    };
  }
}
