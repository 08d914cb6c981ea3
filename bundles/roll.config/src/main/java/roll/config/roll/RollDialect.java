package roll.config.roll;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.runtime.dialect.ConfigDialect;
import roll.runtime.dialect.ConfigDraft;

/** Translates keys of ROLL's configuration files that differ from this project's. */
@Component(name = "roll.config.roll", property = "service.ranking:Integer=100")
public final class RollDialect implements ConfigDialect {
  @Override
  public @Nullable UnaryOperator<String> translate(ConfigDraft draft) {
    RollEnvironments.translate(draft);
    new RollRoles(draft).translate();
    return null;
  }
}
