package roll.itests.kind;

import java.util.List;
import roll.api.option.Option;
import roll.runtime.plugin.PluginKind;

/** All that is registered for the kind. */
public final class CurriculumKind implements PluginKind<Curriculum> {
  @Override
  public Class<Curriculum> type() {
    return Curriculum.class;
  }

  @Override
  public List<Option<?>> options(Curriculum curriculum) {
    return curriculum.options();
  }
}
