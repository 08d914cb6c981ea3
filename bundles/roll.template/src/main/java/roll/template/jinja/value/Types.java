package roll.template.jinja.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Python's built-in functions on values: type, truth, length and items; equality and order. */
public final class Types {
  private Types() {}

  /** Returns the name of the value's Python type. */
  public static String name(Object value) {
    return switch (value) {
      case None none -> "NoneType";
      case Boolean truth -> "bool";
      case Long number -> "int";
      case BigInteger number -> "int";
      case Double number -> "float";
      case String text -> "str";
      case Markup marked -> "Markup";
      case List<?> list -> "list";
      case Tuple tuple -> "tuple";
      case Dict dict -> "dict";
      case Dict.View view -> view.name();
      case Range range -> "range";
      case PythonGenerator lazy -> "generator";
      case Undefined undefined -> "Undefined";
      case Namespace namespace -> "Namespace";
      case Callable function -> "function";
      default -> throw new IllegalArgumentException("no value of a template: " + value.getClass());
    };
  }

  /** Whether the value counts as true in a condition. */
  public static boolean truth(Object value) {
    return switch (value) {
      case None none -> false;
      case Undefined undefined -> false;
      case Boolean truth -> truth;
      case Long number -> number != 0;
      case BigInteger number -> number.signum() != 0;
      case Double number -> number != 0;
      case String text -> !text.isEmpty();
      case Markup marked -> !marked.text().isEmpty();
      case List<?> list -> !list.isEmpty();
      case Tuple tuple -> !tuple.items().isEmpty();
      case Map<?, ?> map -> !map.isEmpty();
      case Dict.View view -> !view.dict().isEmpty();
      case Range range -> range.size() > 0;
      default -> true;
    };
  }

  /** Returns the number of elements or characters of a value. */
  public static int length(Object value) {
    return switch (value) {
      case String text -> text.codePointCount(0, text.length());
      case Markup marked -> length(marked.text());
      case List<?> list -> list.size();
      case Tuple tuple -> tuple.items().size();
      case Map<?, ?> map -> map.size();
      case Dict.View view -> view.dict().size();
      case Range range -> range.size();
      case Undefined undefined -> 0;
      default -> throw new TemplateException("object of type '" + name(value) + "' has no len()");
    };
  }

  /** Returns the elements of a sequence, keys of a dict or characters of a text. */
  public static Iterator<Object> iterate(Object value) {
    return switch (value) {
      case String text ->
          text.codePoints().mapToObj(c -> (Object) Character.toString(c)).iterator();
      case Markup marked -> iterate(marked.text());
      case Dict dict -> List.copyOf(dict.keySet()).iterator();
      case PythonGenerator lazy -> lazy.iterator();
      case Undefined undefined -> List.of().iterator();
      case List<?> list -> new ArrayList<Object>(list).iterator();
      case Tuple tuple -> tuple.iterator();
      case Range range -> range.iterator();
      case Dict.View view -> view.iterator();
      default -> throw new TemplateException("'" + name(value) + "' object is not iterable");
    };
  }

  /** Returns the elements of {@link #iterate} as a new list. */
  public static List<Object> list(Object value) {
    List<Object> list = new ArrayList<>();
    iterate(value).forEachRemaining(list::add);
    return list;
  }

  /** Whether {@code a == b}. */
  public static boolean equal(Object a, Object b) {
    if (Numbers.isNumber(a) && Numbers.isNumber(b)) {
      return Numbers.compare(a, b) == 0;
    }
    return switch (a) {
      case Markup marked -> equal(marked.text(), b);
      case String text -> b instanceof Markup marked ? text.equals(marked.text()) : text.equals(b);
      case List<?> list -> b instanceof List<?> other && equalItems(list, other);
      case Tuple tuple -> b instanceof Tuple other && equalItems(tuple.items(), other.items());
      case Dict dict -> b instanceof Dict other && equalDicts(dict, other);
      case Undefined undefined -> b instanceof Undefined;
      case Range range -> b instanceof Range other && equalItems(list(range), list(other));
      default -> a == b;
    };
  }

  private static boolean equalItems(List<?> a, List<?> b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (!equal(a.get(i), b.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean equalDicts(Dict a, Dict b) {
    return a.size() == b.size()
        && a.entrySet().stream()
            .allMatch(
                e -> {
                  Object other = b.get(e.getKey());
                  return other != null && equal(e.getValue(), other);
                });
  }

  /** Compares two values: negative, zero or positive; fails where Python defines no order. */
  public static int compare(Object a, Object b, String operator) {
    if (a instanceof Undefined undefined) {
      throw undefined.failure();
    }
    if (b instanceof Undefined undefined) {
      throw undefined.failure();
    }
    if (Numbers.isNumber(a) && Numbers.isNumber(b)) {
      return Numbers.compare(a, b);
    }
    if (Text.is(a) && Text.is(b)) {
      return compareText(Text.of(a), Text.of(b));
    }
    if (a instanceof List<?> one && b instanceof List<?> other) {
      return compareItems(one, other, operator);
    }
    if (a instanceof Tuple one && b instanceof Tuple other) {
      return compareItems(one.items(), other.items(), operator);
    }
    throw new TemplateException(
        "'%s' not supported between instances of '%s' and '%s'"
            .formatted(operator, name(a), name(b)));
  }

  private static int compareItems(List<?> a, List<?> b, String operator) {
    for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
      if (!equal(a.get(i), b.get(i))) {
        return compare(a.get(i), b.get(i), operator);
      }
    }
    return Integer.compare(a.size(), b.size());
  }

  /**
   * Compares texts by code points, which for characters outside the first plane is not Java's
   * order.
   */
  private static int compareText(String a, String b) {
    return Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());
  }

  /** Whether {@code item in container}. */
  public static boolean contains(Object container, Object item) {
    switch (container) {
      case String text -> {
        if (!Text.is(item)) {
          throw new TemplateException(
              "'in <string>' requires string as left operand, not " + name(item));
        }
        return text.contains(Text.of(item));
      }
      case Markup marked -> {
        return contains(marked.text(), item);
      }
      case Dict dict -> {
        return dict.containsKey(item);
      }
      default -> {
        if (isScalar(container)) {
          throw new TemplateException("argument of type '" + name(container) + "' is not iterable");
        }
        Iterator<Object> items = iterate(container);
        while (items.hasNext()) {
          if (equal(items.next(), item)) {
            return true;
          }
        }
        return false;
      }
    }
  }

  private static boolean isScalar(Object value) {
    return value instanceof None
        || Numbers.isNumber(value)
        || value instanceof Namespace
        || value instanceof Callable;
  }

  /**
   * Converts a Java value of JSON or YAML readers to a template value.
   *
   * @throws IllegalArgumentException if {@code value} is of another type
   */
  public static Object of(@Nullable Object value) {
    return switch (value) {
      case null -> None.NONE;
      case Boolean truth -> truth;
      case Integer number -> number.longValue();
      case Long number -> number;
      case BigInteger number -> Numbers.of(number);
      case Float number -> number.doubleValue();
      case Double number -> number;
      case BigDecimal number -> number.doubleValue();
      case CharSequence text -> text.toString();
      case Map<?, ?> map -> {
        Dict dict = new Dict();
        map.forEach((key, item) -> dict.put(of(key), of(item)));
        yield dict;
      }
      case Iterable<?> items -> {
        List<Object> list = new ArrayList<>();
        items.forEach(item -> list.add(of(item)));
        yield list;
      }
      default -> throw new IllegalArgumentException("no value for a template: " + value.getClass());
    };
  }
}
