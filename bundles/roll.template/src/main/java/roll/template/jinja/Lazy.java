package roll.template.jinja;

import java.util.Iterator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A Python generator: nothing is computed before an item is asked for, and items can be taken once.
 */
final class Lazy implements Iterable<Object> {
  private final Supplier<Iterator<Object>> begin;
  private @Nullable Iterator<Object> items;

  Lazy(Supplier<Iterator<Object>> begin) {
    this.begin = begin;
  }

  /** The items that nobody has taken yet. */
  @Override
  public Iterator<Object> iterator() {
    Iterator<Object> left = items == null ? begin.get() : items;
    items = left;
    return left;
  }
}
