package roll.cluster.environments;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.cluster.NodeLostException;
import roll.cluster.services.RemoteFailureException;
import roll.runtime.option.YamlOptions;
import roll.runtime.worker.EnvironmentPlacement.PlacedEnvironment;
import roll.testkit.JavaProcess;

/** Episodes on other nodes, with real frameworks, membership and processes. */
@Tag("processes")
@Timeout(180)
class DistributedEpisodesTest {
  private static final List<String> PLAYS = List.of("environment");
  private static final int EPISODES = 12;
  private final Path folder;

  DistributedEpisodesTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private static Scenario configured(Environment environment, int steps) {
    return environment.configure(
        YamlOptions.checked("env_config", Map.of("steps", steps), environment.options()));
  }

  private static List<List<Object>> alone(int steps) {
    Scenario scenario = configured(new WalkEnvironment(0), steps);
    List<List<Object>> played = new ArrayList<>();
    for (int i = 0; i < EPISODES; i++) {
      played.add(WalkEnvironment.play(scenario, i));
    }
    return played;
  }

  /** All episodes at once, on threads of their own. */
  private static List<CompletableFuture<List<Object>>> play(Scenario scenario) {
    List<CompletableFuture<List<Object>>> played = new ArrayList<>();
    for (int i = 0; i < EPISODES; i++) {
      long seed = i;
      played.add(
          CompletableFuture.supplyAsync(
              () -> WalkEnvironment.play(scenario, seed), Thread::startVirtualThread));
    }
    return played;
  }

  private static void assertSame(
      List<List<Object>> expected, List<CompletableFuture<List<Object>>> played) throws Exception {
    for (int i = 0; i < EPISODES; i++) {
      assertEquals(expected.get(i), played.get(i).get(60, TimeUnit.SECONDS));
    }
  }

  private Scenario placed(PlayingNode first, Environment local, int steps) {
    return first.nodes.place(
        new PlacedEnvironment("env_config", "walk", first.bundle(), Map.of("steps", steps)),
        configured(local, steps));
  }

  @Test
  void anEnvironmentOfAnotherNodeIsAServiceLikeTheLocalOne() throws Exception {
    WalkEnvironment far = new WalkEnvironment(0);
    try (PlayingNode first = PlayingNode.first(folder);
        PlayingNode second = first.joined(PLAYS)) {
      ServiceRegistration<Environment> offered = second.offer(far);
      PlayingNode.await(() -> first.imported() == 1);
      ServiceReference<Environment> reference =
          first
              .context()
              .getServiceReferences(Environment.class, "(roll.env=walk)")
              .iterator()
              .next();
      assertEquals("second", reference.getProperty("roll.node"));
      assertArrayEquals(
          new String[] {"roll.cluster"},
          (String[]) reference.getProperty("service.imported.configs"));
      Environment remote = first.context().getService(reference);
      assertEquals("A walk.", remote.description());
      assertEquals(far.options(), remote.options());
      Scenario scenario = configured(remote, 4);
      assertEquals(
          WalkEnvironment.play(configured(new WalkEnvironment(0), 4), 7),
          WalkEnvironment.play(scenario, 7));
      PlayingNode.await(() -> far.open.get() == 0);
      try (Episode episode = scenario.reset(3)) {
        RemoteFailureException failed =
            assertThrows(RemoteFailureException.class, () -> episode.step("throw"));
        assertTrue(String.valueOf(failed.getMessage()).contains("a stone"), failed.getMessage());
      }
      offered.unregister();
      PlayingNode.await(() -> first.imported() == 0);
    }
  }

  @Test
  void aNodeThatDoesNotNameTheRolePlaysNone() throws Exception {
    WalkEnvironment far = new WalkEnvironment(0);
    WalkEnvironment near = new WalkEnvironment(0);
    try (PlayingNode first = PlayingNode.first(folder);
        PlayingNode second = first.joined(List.of())) {
      second.offer(far);
      assertSame(alone(5), play(placed(first, near, 5)));
      assertEquals(0, first.imported());
      assertEquals(0, far.steps.get());
    }
  }

  @Test
  void nodesAndTheirBundlesComeAndGoInMidRun() throws Exception {
    WalkEnvironment far = new WalkEnvironment(20);
    WalkEnvironment near = new WalkEnvironment(20);
    try (PlayingNode first = PlayingNode.first(folder)) {
      Scenario scenario = placed(first, near, 10);
      assertSame(alone(10), play(scenario));
      int before = near.steps.get();
      try (PlayingNode second = first.joined(PLAYS)) {
        ServiceRegistration<Environment> offered = second.offer(far);
        PlayingNode.await(() -> first.imported() == 1);
        assertSame(alone(10), play(scenario));
        assertEquals(before, near.steps.get(), "the node alone played");
        List<CompletableFuture<List<Object>>> open = play(scenario);
        PlayingNode.await(() -> far.steps.get() > 10 * EPISODES + 40);
        offered.unregister(); // the bundle is stopped
        assertSame(alone(10), open);
        assertEquals(0, far.open.get());
        assertTrue(near.steps.get() > before, "what was open is played again here");
        second.offer(far); // and updated
        PlayingNode.await(() -> first.imported() == 1);
        open = play(scenario);
        PlayingNode.await(() -> far.open.get() == EPISODES);
        second.membership.close();
        assertSame(alone(10), open);
        PlayingNode.await(() -> first.imported() == 0);
      }
      PlayingNode.await(() -> far.open.get() == 0);
      assertSame(alone(10), play(scenario));
      assertEquals(0, near.open.get());
    }
  }

  @Test
  void whatAKilledNodePlayedIsPlayedAgain() throws Exception {
    WalkEnvironment near = new WalkEnvironment(0);
    Path log = folder.resolve("far.log");
    try (PlayingNode first = PlayingNode.first(folder)) {
      Process far =
          JavaProcess.of(
                  PlayingNode.class,
                  List.of("-XX:+UseSerialGC", "--sun-misc-unsafe-memory-access=allow"),
                  folder.toString(),
                  String.valueOf(first.membership.self().port()))
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try {
        Episode direct = configured(first.remote(), 30).reset(1);
        List<CompletableFuture<List<Object>>> open = play(placed(first, near, 30));
        PlayingNode.await(
            () -> {
              List<String> lines = Files.readAllLines(log);
              return Collections.frequency(lines, PlayingNode.OBSERVED) > 4 * EPISODES;
            });
        far.destroyForcibly().waitFor();
        assertThrows(NodeLostException.class, () -> direct.step("<left>"));
        assertSame(alone(30), open);
        assertEquals(30 * EPISODES, near.steps.get(), "all steps were played again");
        PlayingNode.await(() -> first.imported() == 0);
      } finally {
        far.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  void aWorldThatANodeCannotPlayIsPlayedElsewhere() throws Exception {
    Environment near = new WalkEnvironment(0);
    WalkEnvironment far = new WalkEnvironment(0);
    try (PlayingNode first = PlayingNode.first(folder);
        PlayingNode second = first.joined(PLAYS)) {
      second.offer(far);
      PlayingNode.await(() -> first.imported() == 1);
      Scenario scenario =
          first.nodes.place(
              new PlacedEnvironment("env_config", "walk", first.bundle(), Map.of("steps", 99)),
              configured(near, 5));
      assertSame(alone(5), play(scenario));
      assertEquals(1, first.lines.size());
      assertTrue(first.lines.getFirst().endsWith("cannot play walk: steps: not here"));
      Scenario other =
          first.nodes.place(
              new PlacedEnvironment("env_config", "walk", "walk 9.9.9", Map.of("steps", 5)),
              configured(near, 5));
      assertSame(alone(5), play(other));
      assertEquals(0, far.steps.get(), "another bundle plays nothing");
      try (Episode episode = placed(first, near, 5).reset(3)) {
        IllegalStateException failed =
            assertThrows(IllegalStateException.class, () -> episode.step("throw"));
        assertEquals("a stone", failed.getMessage(), "as it is without nodes");
      }
    }
  }

  @Test
  void anEnvironmentThatDoesNotRepeatIsNotTrusted() throws Exception {
    try (PlayingNode first = PlayingNode.first(folder);
        PlayingNode second = first.joined(PLAYS)) {
      ServiceRegistration<Environment> offered = second.offer(new WalkEnvironment(0));
      PlayingNode.await(() -> first.imported() == 1);
      Scenario other = Scenario.of("Walk.", seed -> configured(new WalkEnvironment(0), 5).reset(9));
      Scenario scenario =
          first.nodes.place(
              new PlacedEnvironment("env_config", "walk", first.bundle(), Map.of("steps", 5)),
              other);
      try (Episode episode = scenario.reset(3)) {
        var unused = episode.step("<left>");
        offered.unregister();
        IllegalStateException failed =
            assertThrows(IllegalStateException.class, () -> episode.step("<left>"));
        assertTrue(String.valueOf(failed.getMessage()).startsWith("turn 1 of an episode"));
      }
    }
  }

  @Test
  void anEpisodeWhoseFirstObservationFailsIsClosed() throws Exception {
    WalkEnvironment far = new WalkEnvironment(0);
    try (PlayingNode first = PlayingNode.first(folder);
        PlayingNode second = first.joined(PLAYS)) {
      second.offer(far);
      Scenario scenario = configured(first.remote(), 5);
      far.said =
          () -> {
            throw new IllegalStateException("it is dark");
          };
      RemoteFailureException failed =
          assertThrows(RemoteFailureException.class, () -> scenario.reset(1));
      assertTrue(String.valueOf(failed.getMessage()).contains("it is dark"), failed.getMessage());
      assertEquals(0, far.open.get());
    }
  }

  @Test
  void anEpisodeThatBeginsAfterItsCallerGaveUpIsClosed() throws Exception {
    WalkEnvironment far = new WalkEnvironment(0);
    try (PlayingNode first = PlayingNode.first(folder);
        PlayingNode second = first.joined(PLAYS)) {
      second.offer(far);
      Scenario scenario = configured(first.remote(), 5);
      far.beginning = new CompletableFuture<>();
      CompletableFuture<Throwable> ended = new CompletableFuture<>();
      Thread waiting =
          Thread.startVirtualThread(
              () ->
                  ended.complete(
                      assertThrows(CancellationException.class, () -> scenario.reset(1))));
      PlayingNode.await(() -> far.open.get() == 1);
      waiting.interrupt();
      var unused = ended.get(30, TimeUnit.SECONDS);
      far.beginning.complete(null);
      PlayingNode.await(() -> far.open.get() == 0);
    }
  }

  @Test
  void anAnswerThatCannotBeSentIsAFailureOfTheEnvironment() throws Exception {
    WalkEnvironment far = new WalkEnvironment(0);
    try (PlayingNode first = PlayingNode.first(folder);
        PlayingNode second = first.joined(PLAYS)) {
      second.offer(far);
      try (Episode episode = configured(first.remote(), 5).reset(1)) {
        far.fact = new Object();
        assertThrows(RemoteFailureException.class, episode::facts);
        far.fact = "none";
        assertEquals("none", episode.facts().get("else"));
        far.said = () -> "x".repeat(9 << 20);
        RemoteFailureException failed =
            assertThrows(RemoteFailureException.class, () -> episode.step("<left>"));
        assertTrue(
            String.valueOf(failed.getMessage()).contains("bytes, more than 8388608"),
            failed.getMessage());
      }
    }
  }
}
