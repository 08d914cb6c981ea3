package roll.env.terminal;

import java.util.Map;
import org.jspecify.annotations.NullMarked;
import roll.api.env.Environment;
import roll.testkit.EnvironmentContract;

/** The guarantees of every environment. */
@NullMarked
class TerminalContractTest extends EnvironmentContract {
  private final Terminals terminals = new Terminals();

  @Override
  protected Environment environment() {
    return terminals.environment();
  }

  @Override
  protected Map<String, Object> config() {
    return Map.of("generate", "edit");
  }
}
