package roll.template.jinja.value;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Python's two ways to fill values into a text: {@code %} and {@code str.format}. */
public final class TextFormatting {
  private static final Pattern PERCENT =
      Pattern.compile("%(?:\\((\\w+)\\))?([-+ 0#]*)(\\d*)(?:\\.(\\d+))?(.)", Pattern.DOTALL);
  private static final Pattern BRACES =
      Pattern.compile("\\{\\{|\\}\\}|\\{(\\w*)((?:\\.\\w+|\\[\\w+\\])*)(![rs])?\\}|[{}]");
  private static final Pattern STEP = Pattern.compile("\\.(\\w+)|\\[(\\w+)\\]");

  private TextFormatting() {}

  /** Formats {@code text % values}. */
  public static Object percent(Object text, Object values) {
    List<Object> items = values instanceof Tuple tuple ? tuple.items() : List.of(values);
    Matcher matcher = PERCENT.matcher(Text.of(text));
    StringBuilder filled = new StringBuilder();
    int used = 0;
    while (matcher.find()) {
      String shown;
      if (matcher.group(5).equals("%")) {
        shown = "%";
      } else if (matcher.group(1) != null) {
        shown = show(matcher, ItemAccess.item(values, matcher.group(1)));
      } else if (used < items.size()) {
        shown = show(matcher, items.get(used++));
      } else {
        throw new TemplateException("not enough arguments for format string");
      }
      matcher.appendReplacement(filled, Matcher.quoteReplacement(shown));
    }
    if (used < items.size()
        && (values instanceof Tuple
            || Numbers.isNumber(values)
            || Text.is(values)
            || values instanceof None)) {
      throw new TemplateException("not all arguments converted during string formatting");
    }
    matcher.appendTail(filled);
    return text instanceof Markup ? new Markup(filled.toString()) : filled.toString();
  }

  private static String show(Matcher conversion, Object value) {
    String flags = conversion.group(2);
    int precision = conversion.group(4) == null ? -1 : Integer.parseInt(conversion.group(4));
    String shown =
        switch (conversion.group(5)) {
          case "s" -> cut(Text.of(value), precision);
          case "r" -> cut(Text.repr(value), precision);
          case "d", "i", "u" -> signed(flags, whole(value).toString());
          case "x" -> signed(flags, Numbers.integer(value).toString(16));
          case "f", "F" -> signed(flags, fixed(value, precision < 0 ? 6 : precision));
          default ->
              throw new TemplateException(
                  "unsupported format character '" + conversion.group(5) + "'");
        };
    int width = conversion.group(3).isEmpty() ? 0 : Integer.parseInt(conversion.group(3));
    int gap = Math.max(0, width - Types.length(shown));
    if (flags.contains("-")) {
      return shown + Text.repeated(" ", gap);
    }
    boolean zeros = flags.contains("0") && !"sr".contains(conversion.group(5));
    int sign = zeros && !shown.isEmpty() && "+- ".indexOf(shown.charAt(0)) >= 0 ? 1 : 0;
    return shown.substring(0, sign) + Text.repeated(zeros ? "0" : " ", gap) + shown.substring(sign);
  }

  private static String cut(String text, int most) {
    return most < 0 || Types.length(text) <= most
        ? text
        : text.substring(0, text.offsetByCodePoints(0, most));
  }

  private static Object whole(Object value) {
    requireNumber(value);
    return value instanceof Double number
        ? new BigDecimal(number).toBigInteger()
        : Numbers.integer(value);
  }

  private static String fixed(Object value, int digits) {
    requireNumber(value);
    return new BigDecimal(Numbers.real(value))
        .setScale(digits, RoundingMode.HALF_EVEN)
        .toPlainString();
  }

  private static void requireNumber(Object value) {
    if (!Numbers.isNumber(value)) {
      throw new TemplateException("a number is required, not " + Types.name(value));
    }
  }

  private static String signed(String flags, String number) {
    if (number.startsWith("-")) {
      return number;
    }
    return (flags.contains("+") ? "+" : flags.contains(" ") ? " " : "") + number;
  }

  /** Formats {@code text.format(args)}, without format specifications. */
  static String braces(String text, Args args) {
    Matcher matcher = BRACES.matcher(text);
    StringBuilder filled = new StringBuilder();
    int next = 0;
    while (matcher.find()) {
      String found = matcher.group();
      String shown;
      if (found.length() == 1) {
        throw new TemplateException("str.format: '" + found + "' without a plain field behind it");
      } else if (found.equals("{{") || found.equals("}}")) {
        shown = found.substring(1);
      } else {
        String name = matcher.group(1).isEmpty() ? String.valueOf(next++) : matcher.group(1);
        Object value = walk(argument(args, name), matcher.group(2));
        shown = "!r".equals(matcher.group(3)) ? Text.repr(value) : Text.of(value);
      }
      matcher.appendReplacement(filled, Matcher.quoteReplacement(shown));
    }
    return matcher.appendTail(filled).toString();
  }

  private static Object argument(Args args, String name) {
    Object value = args.named().get(name);
    if (Character.isDigit(name.charAt(0))) {
      int index = Integer.parseInt(name);
      value = index < args.positional().size() ? args.positional().get(index) : null;
    }
    if (value == null) {
      throw new TemplateException("str.format: no argument for {" + name + "}");
    }
    return value;
  }

  private static Object walk(Object value, String path) {
    Matcher step = STEP.matcher(path);
    Object at = value;
    while (step.find()) {
      String key = step.group(2);
      at =
          key == null
              ? ItemAccess.attribute(at, step.group(1))
              : ItemAccess.item(
                  at, Character.isDigit(key.charAt(0)) ? (Object) Long.valueOf(key) : key);
    }
    return at;
  }
}
