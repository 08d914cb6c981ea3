package roll.env.remote;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import roll.api.env.Environment;
import roll.testkit.EnvironmentContract;

/** The contract with the class of configs/remote, played by the script that the bundle carries. */
@Tag("processes")
@Timeout(120)
class GymContractTest extends EnvironmentContract {
  @AutoClose("deactivate")
  private final RemoteEnvironment environment = new RemoteEnvironment();

  @Override
  protected Environment environment() {
    return environment;
  }

  @Override
  protected Map<String, Object> config() {
    Map<String, Object> config = new HashMap<>(Programs.config("lake.py"));
    config.remove("command");
    config.putAll(
        Map.of(
            "gym", "lake:Lake",
            "python", "/usr/bin/python3",
            "folder", "../../configs/remote",
            "options", Map.of("size", 5)));
    return config;
  }
}
