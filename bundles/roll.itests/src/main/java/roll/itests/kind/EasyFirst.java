package roll.itests.kind;

import java.util.List;
import roll.api.option.Option;

/** An ordering with an option. */
public final class EasyFirst implements Ordering {
  @Override
  public List<Option<?>> options() {
    return List.of(Option.integer("pace", "levels per step").withDefault(1));
  }
}
