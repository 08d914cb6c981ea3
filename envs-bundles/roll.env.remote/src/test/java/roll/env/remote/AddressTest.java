package roll.env.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.env.Scenario;
import roll.api.option.UserException;
import roll.env.frozen_lake.FrozenLakeEnvironment;

/** The lake behind a real server, over HTTP and over WebSockets. */
@Timeout(120)
class AddressTest {
  private final BridgedEnvironment environment = new BridgedEnvironment();

  @AfterEach
  void end() {
    environment.deactivate();
  }

  private static Process serve() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "no /usr/bin/python3");
    return new ProcessBuilder("/usr/bin/python3", Programs.file("lake_server.py").toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static int port(Process server) throws Exception {
    BufferedReader line = server.inputReader(StandardCharsets.UTF_8);
    return Integer.parseInt(Objects.requireNonNull(line.readLine()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "ws"})
  void theSameTrajectories(String scheme) throws Exception {
    Process server = serve();
    try {
      Scenario remote =
          Programs.scenario(
              environment,
              Map.of(
                  "url",
                  scheme + "://127.0.0.1:" + port(server),
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
    } finally {
      server.destroyForcibly().waitFor();
    }
  }

  @Test
  void aServerThatRefuses() throws Exception {
    Process server = serve();
    try {
      String url = "http://127.0.0.1:" + port(server);
      UserException e =
          assertThrows(
              UserException.class, () -> Programs.scenario(environment, Map.of("url", url)));
      assertEquals(
          "custom_envs.Test.env_config: " + url + " answered with status 403: who are you?",
          e.getMessage());
    } finally {
      server.destroyForcibly().waitFor();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://127.0.0.1:1", "ws://127.0.0.1:1/lake"})
  void aServerThatIsNotThere(String url) {
    UserException e =
        assertThrows(UserException.class, () -> Programs.scenario(environment, Map.of("url", url)));
    assertTrue(e.getMessage().startsWith("custom_envs.Test.env_config: " + url), e.getMessage());
  }
}
