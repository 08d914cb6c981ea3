package roll.env.remote;

import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import roll.api.env.Environment;
import roll.testkit.EnvironmentContract;

/** The contract of environments, over WebSockets of OpenEnv, with pictures. */
@Tag("processes")
@Timeout(120)
class OpenEnvContractTest extends EnvironmentContract {
  private final RemoteEnvironment environment = new RemoteEnvironment();
  private @Nullable PythonServer server;

  @BeforeEach
  void serve() throws IOException {
    server = PythonServer.start("openenv_server.py", "64");
  }

  private PythonServer served() {
    return Objects.requireNonNull(server);
  }

  @Override
  protected Environment environment() {
    return environment;
  }

  @Override
  protected Map<String, Object> config() {
    return Map.of(
        "url",
        "http://127.0.0.1:" + served().port() + "/lake",
        "headers",
        Map.of("X-Key", "k"),
        "openenv",
        Map.of("observation", "grid", "actions", "moves", "picture", "pixels"),
        "options",
        Map.of("size", 5));
  }

  @AfterEach
  void end() {
    environment.deactivate();
    served().close();
  }
}
