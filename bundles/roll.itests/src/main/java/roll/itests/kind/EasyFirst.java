package roll.itests.kind;

import java.util.List;
import roll.api.option.OptionInfo;

/** A curriculum with an option. */
public final class EasyFirst implements Curriculum {
  @Override
  public List<OptionInfo> options() {
    return List.of(new OptionInfo("pace", OptionInfo.Type.INTEGER, 1, "levels per step"));
  }
}
