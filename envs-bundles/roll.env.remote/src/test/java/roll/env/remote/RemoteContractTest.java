package roll.env.remote;

import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import roll.api.env.Environment;
import roll.testkit.EnvironmentContract;

/** The contract of environments, played by two processes. */
@Tag("processes")
@Timeout(120)
class RemoteContractTest extends EnvironmentContract {
  @AutoClose("deactivate")
  private final RemoteEnvironment environment = new RemoteEnvironment();

  @Override
  protected Environment environment() {
    return environment;
  }

  @Override
  protected Map<String, Object> config() {
    return Programs.config("lake.py", "processes", 2);
  }
}
