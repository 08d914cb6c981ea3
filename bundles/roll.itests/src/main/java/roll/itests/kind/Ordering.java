package roll.itests.kind;

import java.util.List;
import roll.api.option.Option;

/** The contract of a kind of one's own: in which order tasks are played. */
public interface Ordering {
  /** What a configuration can say. */
  default List<Option<?>> options() {
    return List.of();
  }
}
