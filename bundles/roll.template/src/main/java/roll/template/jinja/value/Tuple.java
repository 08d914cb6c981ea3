package roll.template.jinja.value;

import java.util.Iterator;
import java.util.List;

/**
 * A Python tuple.
 *
 * @param items its elements
 * @param names names of the elements; empty where they have none
 */
public record Tuple(List<Object> items, List<String> names) implements Iterable<Object> {
  /** Creates a tuple whose elements have no names. */
  public Tuple(List<Object> items) {
    this(items, List.of());
  }

  /** Returns a tuple of {@code items}. */
  static Tuple of(Object... items) {
    return new Tuple(List.of(items));
  }

  @Override
  public Iterator<Object> iterator() {
    return items.iterator();
  }
}
