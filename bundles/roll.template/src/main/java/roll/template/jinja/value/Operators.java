package roll.template.jinja.value;

import java.util.ArrayList;
import java.util.List;

/** Python's operators for operands of any type. */
public final class Operators {
  private Operators() {}

  /** Evaluates {@code left operator right} for an arithmetic operator. */
  public static Object apply(String operator, Object left, Object right) {
    if (left instanceof Undefined undefined) {
      throw undefined.failure();
    }
    if (operator.equals("%") && Text.is(left)) {
      return TextFormatting.percent(left, right);
    }
    if (right instanceof Undefined undefined) {
      throw undefined.failure();
    }
    if (Numbers.isNumber(left) && Numbers.isNumber(right)) {
      return Numbers.calculate(operator, left, right);
    }
    if (operator.equals("+")) {
      return add(left, right);
    } else if (operator.equals("*") && Numbers.isInteger(left)) {
      return repeat(right, left);
    } else if (operator.equals("*") && Numbers.isInteger(right)) {
      return repeat(left, right);
    }
    throw unsupported(operator, left, right);
  }

  private static Object add(Object left, Object right) {
    if (Text.is(left) && Text.is(right)) {
      Text.allow((long) Types.length(left) + Types.length(right));
      return left instanceof Markup || right instanceof Markup
          ? new Markup(Markup.escape(left).text() + Markup.escape(right).text())
          : Text.of(left) + Text.of(right);
    }
    if (left instanceof List<?> one && right instanceof List<?> other) {
      return joined(one, other);
    }
    if (left instanceof Tuple one && right instanceof Tuple other) {
      return new Tuple(joined(one.items(), other.items()));
    }
    throw unsupported("+", left, right);
  }

  private static List<Object> joined(List<?> one, List<?> other) {
    Text.allow((long) one.size() + other.size());
    List<Object> all = new ArrayList<>(one);
    all.addAll(other);
    return all;
  }

  private static Object repeat(Object value, Object count) {
    int times = Math.max(0, Numbers.index(count));
    if (value instanceof None || Numbers.isNumber(value) || value instanceof Dict) {
      throw unsupported("*", value, count);
    }
    Text.allow((long) times * Types.length(value));
    return switch (value) {
      case String text -> text.repeat(times);
      case Markup marked -> new Markup(marked.text().repeat(times));
      case List<?> list -> repeated(list, times);
      case Tuple tuple -> new Tuple(repeated(tuple.items(), times));
      default -> throw unsupported("*", value, count);
    };
  }

  private static List<Object> repeated(List<?> items, int times) {
    List<Object> all = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      all.addAll(items);
    }
    return all;
  }

  private static TemplateException unsupported(String operator, Object left, Object right) {
    return new TemplateException(
        "unsupported operand type(s) for %s: '%s' and '%s'"
            .formatted(operator, Types.name(left), Types.name(right)));
  }

  /** Returns {@code -value} or {@code +value}. */
  public static Object sign(boolean minus, Object value) {
    if (value instanceof Undefined undefined) {
      throw undefined.failure();
    }
    if (!Numbers.isNumber(value)) {
      throw new TemplateException("bad operand type for unary sign: '" + Types.name(value) + "'");
    }
    Object negated = Numbers.negate(value);
    return minus ? negated : Numbers.negate(negated);
  }

  /** Evaluates {@code left operator right} for a comparison operator. */
  public static boolean compare(String operator, Object left, Object right) {
    return switch (operator) {
      case "==" -> Types.equal(left, right);
      case "!=" -> !Types.equal(left, right);
      case "in" -> Types.contains(right, left);
      case "not in" -> !Types.contains(right, left);
      default -> ordered(operator, left, right);
    };
  }

  private static boolean ordered(String operator, Object left, Object right) {
    int order = Types.compare(left, right, operator);
    if (isNan(left) || isNan(right)) {
      return false;
    }
    return switch (operator) {
      case "<" -> order < 0;
      case "<=" -> order <= 0;
      case ">" -> order > 0;
      case ">=" -> order >= 0;
      default -> throw new IllegalArgumentException(operator);
    };
  }

  private static boolean isNan(Object value) {
    return value instanceof Double number && Double.isNaN(number);
  }
}
