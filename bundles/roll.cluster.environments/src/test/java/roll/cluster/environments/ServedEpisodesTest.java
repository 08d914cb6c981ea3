package roll.cluster.environments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.cluster.environments.calls.EnvironmentFailedException;
import roll.runtime.option.YamlOptions;

/** Episodes on another node that do not begin, or do not answer: none of them stays open. */
@Tag("processes")
@Timeout(120)
class ServedEpisodesTest {
  private final WalkEnvironment far = new WalkEnvironment(0);
  private final Path folder;
  private PlayingNode first;
  private PlayingNode second;
  private Scenario scenario;

  ServedEpisodesTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @BeforeEach
  void open() throws Exception {
    first = new PlayingNode(folder, "first", 0, List.of());
    int port = first.membership.self().port();
    second = new PlayingNode(folder, "second", port, List.of("environment"));
    second.offer(far);
    PlayingNode.await(() -> first.imported() == 1);
    Environment remote =
        first
            .context()
            .getService(
                first
                    .context()
                    .getServiceReferences(Environment.class, "(service.imported=*)")
                    .iterator()
                    .next());
    scenario =
        remote.configure(YamlOptions.checked("env_config", Map.of("steps", 5), remote.options()));
  }

  @AfterEach
  void close() throws Exception {
    second.close();
    first.close();
  }

  @Test
  void oneWhoseBeginningCannotBeSeenIsClosed() {
    far.said =
        () -> {
          throw new IllegalStateException("it is dark");
        };
    EnvironmentFailedException failed =
        assertThrows(EnvironmentFailedException.class, () -> scenario.reset(1));
    assertTrue(String.valueOf(failed.getMessage()).contains("it is dark"), failed.getMessage());
    assertEquals(0, far.open.get());
  }

  @Test
  void oneThatBeginsWhenNobodyWaitsAnyMoreIsClosed() throws Exception {
    far.beginning = new CompletableFuture<>();
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    Thread waiting =
        Thread.startVirtualThread(
            () ->
                ended.complete(assertThrows(CancellationException.class, () -> scenario.reset(1))));
    PlayingNode.await(() -> far.open.get() == 1);
    waiting.interrupt();
    var unused = ended.get(30, TimeUnit.SECONDS);
    far.beginning.complete(null);
    PlayingNode.await(() -> far.open.get() == 0);
  }

  /** What no message can have: it is the environment's fault, wherever it is played. */
  @Test
  void anAnswerThatCannotBeSentIsAFailureOfTheEnvironment() {
    try (Episode episode = scenario.reset(1)) {
      far.fact = new Object();
      assertThrows(EnvironmentFailedException.class, episode::facts);
      far.fact = "none";
      assertEquals("none", episode.facts().get("else"));
      far.said = () -> "x".repeat(9 << 20);
      EnvironmentFailedException failed =
          assertThrows(EnvironmentFailedException.class, () -> episode.step("<left>"));
      assertTrue(
          String.valueOf(failed.getMessage()).contains("bytes, more than 8388608"),
          failed.getMessage());
    }
  }
}
