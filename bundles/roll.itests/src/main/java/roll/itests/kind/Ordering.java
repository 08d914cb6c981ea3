package roll.itests.kind;

import java.util.List;
import roll.api.option.Option;

/** The contract of a custom kind of plugins: the order in which tasks are played. */
public interface Ordering {
  /** Returns the options in a configuration. */
  default List<Option<?>> options() {
    return List.of();
  }
}
