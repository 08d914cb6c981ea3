package roll.env.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.env.Scenario;
import roll.env.frozen_lake.FrozenLakeEnvironment;

/** The lake behind a real server, over HTTP and over WebSockets. */
@Tag("processes")
@Timeout(120)
class AddressTest {
  @AutoClose("deactivate")
  private final RemoteEnvironment environment = new RemoteEnvironment();

  @ParameterizedTest
  @ValueSource(strings = {"http", "ws"})
  void theSameTrajectories(String scheme) throws Exception {
    try (PythonServer server = PythonServer.start("lake_server.py")) {
      Scenario remote =
          Programs.scenario(
              environment,
              Map.of(
                  "url",
                  scheme + "://127.0.0.1:" + server.port(),
                  "headers",
                  Map.of("X-Key", "k"),
                  "processes",
                  2));
      Scenario embedded = Programs.scenario(new FrozenLakeEnvironment(), Map.of());
      int turns = 0;
      for (long seed = 0; seed < 20; seed++) {
        turns += RemoteLakeTest.alike(embedded, remote, seed);
      }
      assertTrue(turns > 20);
    }
  }

  @Test
  void aServerThatRefuses() throws Exception {
    try (PythonServer server = PythonServer.start("lake_server.py")) {
      String url = "http://127.0.0.1:" + server.port();
      assertEquals(
          "custom_envs.Test.env_config: " + url + " answered with status 403: who are you?",
          userError(() -> Programs.scenario(environment, Map.of("url", url))));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://127.0.0.1:1", "ws://127.0.0.1:1/lake"})
  void aServerThatIsNotThere(String url) {
    String message = userError(() -> Programs.scenario(environment, Map.of("url", url)));
    assertTrue(message.startsWith("custom_envs.Test.env_config: " + url), message);
  }

  @ParameterizedTest
  @CsvSource({
    "folder, /tmp, 'nothing beside url, where no program is started'",
    "python, /usr/bin/python3, 'nothing without gym: command names its own program'"
  })
  void whatOnlyAProgramHas(String option, String value, String allowed) {
    Map<String, Object> config = Map.of("url", "http://127.0.0.1:1", option, value);
    refused(config, option, value, allowed);
  }

  @Test
  void limitsOfNothingAndHeadersToNobody() {
    refused(
        Map.of("url", "http://127.0.0.1:1", "limits", Map.of("memory_gb", 1)),
        "limits",
        "{memory_gb=1}",
        "nothing beside url, where no program is started");
    refused(
        Map.of("command", List.of("true"), "headers", Map.of("X-Key", "k")),
        "headers",
        "…", // values of headers are never shown
        "nothing beside a program, which is asked over its input");
  }

  private void refused(Map<String, Object> config, String option, String value, String allowed) {
    assertEquals(
        "custom_envs.Test.env_config.%s: expected %s, found '%s'".formatted(option, allowed, value),
        userError(() -> Programs.scenario(environment, config)));
  }
}
