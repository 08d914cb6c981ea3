package roll.template.jinja.value;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The variable {@code loop} within a loop. */
public final class LoopVariable implements Callable {
  /** Renders a loop within a recursive loop. */
  @FunctionalInterface
  public interface Recursion {
    String render(Object items, int depth);
  }

  private final List<Object> items;
  private final int depth;
  private final @Nullable Recursion recursion;
  private int index;
  private @Nullable Object changed;

  /**
   * The loop over {@code items} at {@code depth}, 0 for the outermost; {@code recursion} is null
   * where the loop is not recursive.
   */
  public LoopVariable(List<Object> items, int depth, @Nullable Recursion recursion) {
    this.items = items;
    this.depth = depth;
    this.recursion = recursion;
  }

  /** Moves the loop to the item of index {@code item}. */
  public void moveTo(int item) {
    index = item;
  }

  /** Returns an attribute of the loop; undefined if there is no such attribute. */
  Object attribute(String name) {
    int length = items.size();
    return switch (name) {
      case "index" -> index + 1L;
      case "index0" -> (long) index;
      case "revindex" -> (long) length - index;
      case "revindex0" -> (long) length - index - 1;
      case "first" -> index == 0;
      case "last" -> index == length - 1;
      case "length" -> (long) length;
      case "depth" -> depth + 1L;
      case "depth0" -> (long) depth;
      case "previtem" ->
          index > 0 ? items.get(index - 1) : new Undefined("there is no previous item");
      case "nextitem" ->
          index < length - 1 ? items.get(index + 1) : new Undefined("there is no next item");
      case "cycle" -> (Callable) args -> args.positional().get(index % args.positional().size());
      case "changed" -> (Callable) this::changed;
      default -> new Undefined("the loop has no attribute '" + name + "'");
    };
  }

  private Object changed(Args args) {
    Tuple values = new Tuple(args.positional());
    boolean same = changed != null && Types.equal(changed, values);
    changed = values;
    return !same;
  }

  @Override
  public Object call(Args args) {
    if (recursion == null) {
      throw new TemplateException("the loop must have the 'recursive' marker to be called");
    }
    return recursion.render(args.positional().getFirst(), depth + 1);
  }

  @Override
  public String toString() {
    return "<LoopContext " + (index + 1) + "/" + items.size() + ">";
  }
}
