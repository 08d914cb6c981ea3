package roll.itests.kind;

import java.util.List;
import roll.api.option.Option;

/** A curriculum with an option. */
public final class EasyFirst implements Curriculum {
  @Override
  public List<Option<?>> options() {
    return List.of(Option.integer("pace", "levels per step").withDefault(1));
  }
}
