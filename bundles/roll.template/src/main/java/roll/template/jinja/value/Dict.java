package roll.template.jinja.value;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A Python dict: keeps the order of insertion; {@code 1}, {@code 1.0} and {@code True} are one key,
 * of which the first stays.
 */
public final class Dict extends AbstractMap<Object, Object> {
  private final Map<Object, Entry<Object, Object>> entries = new LinkedHashMap<>();

  @Override
  public @Nullable Object put(Object key, Object value) {
    Object canonical = canonical(key);
    Entry<Object, Object> present = entries.get(canonical);
    if (present != null) {
      return present.setValue(value);
    }
    entries.put(canonical, new SimpleEntry<>(key, value));
    return null;
  }

  @Override
  public @Nullable Object get(@Nullable Object key) {
    Entry<Object, Object> entry = key == null ? null : entries.get(canonical(key));
    return entry == null ? null : entry.getValue();
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return key != null && entries.containsKey(canonical(key));
  }

  @Override
  public Set<Entry<Object, Object>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Entry<Object, Object>> iterator() {
        return entries.values().iterator();
      }

      @Override
      public int size() {
        return entries.size();
      }
    };
  }

  @Override
  public int size() {
    return entries.size();
  }

  /** Returns a value that is equal for equal keys. */
  private static Object canonical(Object key) {
    return switch (key) {
      case Boolean truth -> truth ? 1L : 0L;
      case Double number when number == Math.rint(number) && Math.abs(number) <= Long.MAX_VALUE ->
          number.longValue();
      case Markup marked -> marked.text();
      case Tuple tuple -> tuple.items().stream().map(Dict::canonical).toList();
      case List<?> list -> throw unhashable(list);
      case Map<?, ?> map -> throw unhashable(map);
      default -> key;
    };
  }

  private static TemplateException unhashable(Object key) {
    return new TemplateException("unhashable type: '" + Types.name(key) + "'");
  }

  /** A view of a dict: its keys, values or items. */
  public record View(String name, Dict dict, Function<Entry<Object, Object>, Object> part)
      implements Iterable<Object> {
    static View keys(Dict dict) {
      return new View("dict_keys", dict, Entry::getKey);
    }

    static View values(Dict dict) {
      return new View("dict_values", dict, Entry::getValue);
    }

    /** Returns the pairs of {@code dict}, like {@code dict.items()}. */
    public static View items(Dict dict) {
      return new View("dict_items", dict, e -> Tuple.of(e.getKey(), e.getValue()));
    }

    @Override
    public Iterator<Object> iterator() {
      return dict.entrySet().stream().map(part).iterator();
    }
  }
}
