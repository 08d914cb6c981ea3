package roll.env.remote;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import roll.api.env.Environment;
import roll.api.env.Scenario;
import roll.testkit.TestOptions;

/** Programs of the tests' resources, in Python. */
final class Programs {
  private static final Path PYTHON = Path.of("/usr/bin/python3");

  private Programs() {}

  /** The file {@code name} of the resources. */
  static Path file(String name) {
    try {
      return Path.of(Objects.requireNonNull(Programs.class.getResource("/" + name)).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The {@code env_config} that plays {@code name}, with {@code more} keys and values. */
  static Map<String, Object> config(String name, Object... more) {
    assumeTrue(Files.isExecutable(PYTHON), "no /usr/bin/python3");
    return with(Map.of("command", List.of(PYTHON.toString(), file(name).toString())), more);
  }

  /** The world that {@code environment} has with {@code config}. */
  static Scenario scenario(Environment environment, Map<String, Object> config) {
    return environment.configure(
        TestOptions.of("custom_envs.Test.env_config", config, environment.options()));
  }

  /**
   * The {@code env_config} that plays the lake of {@code server} by OpenEnv's messages.
   *
   * @param openenv names of the server's fields
   * @param more keys and values
   */
  static Map<String, Object> lake(
      PythonServer server, Map<String, Object> openenv, Object... more) {
    return with(
        Map.of(
            "url",
            "http://127.0.0.1:" + server.port() + "/lake",
            "headers",
            Map.of("X-Key", "k"),
            "openenv",
            openenv),
        more);
  }

  private static Map<String, Object> with(Map<String, Object> common, Object... more) {
    Map<String, Object> config = new HashMap<>(common);
    for (int i = 0; i < more.length; i += 2) {
      config.put((String) more[i], more[i + 1]);
    }
    return config;
  }
}
