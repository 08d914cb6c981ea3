package roll.template.jinja.value;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Attributes, items and slices of values. */
public final class ItemAccess {
  private ItemAccess() {}

  /** Returns {@code owner.name}: a method or attribute, otherwise the item of that name. */
  public static Object attribute(Object owner, String name) {
    Object own = own(owner, name);
    if (!(own instanceof Undefined) || !(owner instanceof Dict dict)) {
      return own;
    }
    Object item = PythonMethods.isMutating(dict, name) ? null : dict.get(name);
    return item != null ? item : own;
  }

  /** Returns {@code owner[key]}: the item, otherwise a method or attribute of that name. */
  public static Object item(Object owner, Object key) {
    if (owner instanceof Undefined undefined) {
      throw undefined.failure();
    }
    Object item = lookup(owner, key);
    return item instanceof Undefined && Text.is(key) ? attributeOrNothing(owner, key) : item;
  }

  private static Object attributeOrNothing(Object owner, Object key) {
    Object own = own(owner, Text.of(key));
    return own instanceof Undefined ? Undefined.of(owner, key) : own;
  }

  /** Returns the method or attribute of {@code owner}, not its items. */
  public static Object own(Object owner, String name) {
    return switch (owner) {
      case Undefined undefined -> throw undefined.failure();
      case LoopVariable loop -> loop.attribute(name);
      case Namespace namespace -> {
        Object value = namespace.attributes().get(name);
        yield value != null ? value : Undefined.of(owner, name);
      }
      default -> PythonMethods.find(owner, name);
    };
  }

  private static Object lookup(Object owner, Object key) {
    Object none = Undefined.of(owner, key);
    if (owner instanceof Dict dict) {
      Object value = key instanceof List || key instanceof Dict ? null : dict.get(key);
      return value != null ? value : none;
    }
    if (!Numbers.isInteger(key)) {
      return none;
    }
    return switch (owner) {
      case String text -> {
        int at = at(key, Types.length(text));
        yield at < 0 ? none : Character.toString(text.codePointAt(text.offsetByCodePoints(0, at)));
      }
      case Markup marked -> lookup(marked.text(), key);
      case List<?> list -> {
        int at = at(key, list.size());
        yield at < 0 ? none : list.get(at);
      }
      case Tuple tuple -> lookup(tuple.items(), key);
      case Range range -> {
        int at = at(key, range.size());
        yield at < 0 ? none : range.get(at);
      }
      default -> none;
    };
  }

  /** Returns the position that a Python index means, −1 if there is none. */
  private static int at(Object key, int length) {
    BigInteger index = Numbers.integer(key);
    BigInteger at = index.signum() < 0 ? index.add(BigInteger.valueOf(length)) : index;
    return at.signum() >= 0 && at.bitLength() < Integer.SIZE && at.intValue() < length
        ? at.intValue()
        : -1;
  }

  /** Returns the slice {@code owner[from:to:step]} of a text, list or tuple. */
  public static Object slice(Object owner, Object from, Object to, Object step) {
    return switch (owner) {
      case Undefined undefined -> throw undefined.failure();
      case String text -> String.join("", texts(slice(Types.list(text), from, to, step)));
      case Markup marked -> new Markup(Text.of(slice(marked.text(), from, to, step)));
      case List<?> list -> cut(list, from, to, step);
      case Tuple tuple -> new Tuple(cut(tuple.items(), from, to, step));
      case Range range -> cut(Types.list(range), from, to, step);
      default ->
          throw new TemplateException("'" + Types.name(owner) + "' object is not subscriptable");
    };
  }

  private static List<String> texts(Object items) {
    return Types.list(items).stream().map(Text::of).toList();
  }

  private static List<Object> cut(List<?> items, Object from, Object to, Object step) {
    int length = items.size();
    int stride = step instanceof None ? 1 : Numbers.index(step);
    if (stride == 0) {
      throw new TemplateException("slice step cannot be zero");
    }
    int least = stride > 0 ? 0 : -1;
    int most = stride > 0 ? length : length - 1;
    int start =
        from instanceof None ? (stride > 0 ? least : most) : clamp(from, length, least, most);
    int end = to instanceof None ? (stride > 0 ? most : least) : clamp(to, length, least, most);
    List<Object> cut = new ArrayList<>();
    for (long i = start; stride > 0 ? i < end : i > end; i += stride) {
      cut.add(items.get((int) i));
    }
    return cut;
  }

  private static int clamp(Object bound, int length, int least, int most) {
    int index = Numbers.index(bound);
    return Math.clamp(index < 0 ? (long) index + length : index, least, most);
  }

  /** Returns the value as a callable; fails if it is none. */
  public static Callable callable(Object value) {
    return switch (value) {
      case Callable function -> function;
      case Undefined undefined -> throw undefined.failure();
      default -> throw new TemplateException("'" + Types.name(value) + "' object is not callable");
    };
  }
}
