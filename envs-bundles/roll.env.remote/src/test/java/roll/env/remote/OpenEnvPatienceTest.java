package roll.env.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.bridge.PeerException;

/** Servers that play less at once than is asked for, as most of OpenEnv do, or that restart. */
@Tag("processes")
@Timeout(120)
class OpenEnvPatienceTest {
  private static final int EPISODES = 40;

  @AutoClose("deactivate")
  private final RemoteEnvironment environment = new RemoteEnvironment();

  private Scenario scenario(PythonServer server, double start) {
    return Programs.scenario(
        environment, Programs.lake(server, Map.of("observation", "grid"), "start_timeout", start));
  }

  /** Episodes that take longer than the start timeout; waiting ones do not overload the server. */
  @ParameterizedTest
  @ValueSource(strings = {"tells", "hides"})
  void manyTakeTurnsAtASmallServer(String sessions) throws Exception {
    try (PythonServer server = PythonServer.start("openenv_server.py", "2", "0", sessions);
        ExecutorService players = Executors.newVirtualThreadPerTaskExecutor()) {
      Scenario scenario = scenario(server, 2);
      long begin = System.nanoTime();
      List<Future<Integer>> played = new ArrayList<>();
      for (int seed = 0; seed < EPISODES; seed++) {
        long own = seed;
        played.add(players.submit(() -> play(scenario, own)));
      }
      for (Future<Integer> each : played) {
        assertEquals(3, each.get());
      }
      assertTrue(System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(2));
      int asked = asked(server);
      assertTrue(asked >= EPISODES && asked < 5 * EPISODES, () -> "asked " + asked + " times");
    }
  }

  private static int play(Scenario scenario, long seed) throws InterruptedException {
    int steps = 0;
    try (Episode episode = scenario.reset(seed)) {
      for (; steps < 3; steps++) {
        Thread.sleep(50);
        assertEquals(0, episode.step("no action").reward());
        assertEquals(Map.of("action_is_valid", 1.0), episode.step("Left").metrics());
        if (episode.actions().isEmpty()) {
          return 3; // in the water
        }
      }
    }
    return steps;
  }

  private static int asked(PythonServer server) throws IOException, InterruptedException {
    URI place = URI.create("http://127.0.0.1:" + server.port() + "/lake/asked");
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(place).build();
      return Integer.parseInt(client.send(request, BodyHandlers.ofString()).body());
    }
  }

  @Test
  void aServerThatRestartsIsWaitedFor() throws Exception {
    PythonServer first = PythonServer.start("openenv_server.py", "2");
    String port = String.valueOf(first.port());
    Scenario scenario = scenario(first, 30);
    scenario.reset(1).close();
    first.end();
    try (ExecutorService players = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Integer> played = players.submit(() -> play(scenario, 1));
      Thread.sleep(500);
      try (PythonServer _ = PythonServer.start("openenv_server.py", "2", port)) {
        assertEquals(3, played.get());
      }
    }
  }

  @Test
  void aServerThatStaysAway() throws Exception {
    PythonServer server = PythonServer.start("openenv_server.py", "2");
    Scenario scenario = scenario(server, 1);
    server.end();
    PeerException e = assertThrows(PeerException.class, () -> scenario.reset(1));
    assertEquals(
        "ws://127.0.0.1:%d/lake/ws cannot be started or reached: nothing listens there"
            .formatted(server.port()),
        e.getMessage());
  }
}
