package roll.itests.kind;

import java.util.List;
import roll.api.option.Option;
import roll.runtime.plugin.PluginKind;

/** The registration of the kind. */
public final class OrderingKind implements PluginKind<Ordering> {
  @Override
  public Class<Ordering> type() {
    return Ordering.class;
  }

  @Override
  public List<Option<?>> options(Ordering ordering) {
    return ordering.options();
  }
}
