package roll.template.jinja.value;

import java.util.Iterator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A Python generator: items are computed when they are requested, and can be consumed once. */
public final class PythonGenerator implements Iterable<Object> {
  private final Supplier<Iterator<Object>> begin;
  private @Nullable Iterator<Object> items;

  /** Creates a sequence of the items of the iterators that {@code begin} returns. */
  public PythonGenerator(Supplier<Iterator<Object>> begin) {
    this.begin = begin;
  }

  /** Returns the remaining items of the generator. */
  @Override
  public Iterator<Object> iterator() {
    Iterator<Object> left = items == null ? begin.get() : items;
    items = left;
    return left;
  }
}
