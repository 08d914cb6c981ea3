package roll.rollout.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.data.Trajectory;
import roll.api.option.UserException;
import roll.api.strategy.Generation;
import roll.api.strategy.Generator;
import roll.rollout.CountingGame;
import roll.rollout.FaultyGame;
import roll.rollout.Games;
import roll.rollout.RolloutService;
import roll.rollout.TablePolicy;
import roll.rollout.chat.NamedChatFormats;
import roll.rollout.manager.TrajectoryEnvManager;
import roll.runtime.config.EnvMonitorConfig;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.pipeline.RolloutResult;
import roll.runtime.pipeline.RolloutStream;
import roll.template.FolderChatTemplates;
import roll.testkit.InMemoryPluginRegistry;

@NullMarked
@Timeout(60)
class AsyncRolloutTest {
  private final CountingGame counting = new CountingGame();
  private final FaultyGame trouble = new FaultyGame();
  private final RolloutService service =
      new RolloutService(
          new NamedChatFormats(new FolderChatTemplates()),
          new InMemoryPluginRegistry()
              .with("roll.env", "counting", counting)
              .with("roll.env", "trouble", trouble)
              .with("roll.env.manager", "trajectory", new TrajectoryEnvManager()));

  @AfterEach
  void release() {
    trouble.released = true;
  }

  /** Four groups of three a step. */
  private static RolloutRequest request(Generator policy) {
    return Games.request(
        "train",
        12,
        Games.envs(List.of("A"), List.of(4), 3),
        policy,
        Games.game("A", Map.of("target", 50)));
  }

  private static double metric(RolloutResult result, String name) {
    return result.metrics().getOrDefault(name, Double.NaN);
  }

  private static Set<Long> seeds(List<RolloutResult> results) {
    Set<Long> seeds = new TreeSet<>();
    results.forEach(result -> result.trajectories().forEach(t -> seeds.add(t.key().seed())));
    return seeds;
  }

  @Test
  void aPartOfAStepMayBePlayedAheadButNothingAfterTheLast() {
    List<RolloutResult> ahead = new ArrayList<>();
    try (RolloutStream stream = service.stream(request(new TablePolicy(0.5)), 1.5, 3)) {
      for (int step = 0; step < 3; step++) {
        ahead.add(stream.next().join());
      }
    }
    assertEquals(
        List.of(6.0, 4.0, 0.0),
        ahead.stream().map(result -> metric(result, "scheduler/groups_ahead")).toList());
    List<RolloutResult> inTime = new ArrayList<>();
    for (int step = 0; step < 3; step++) {
      RolloutRequest later = request(new TablePolicy(0.5)).later(step, Set.of());
      inTime.add(service.play(later).join());
    }
    assertEquals(seeds(inTime), seeds(ahead), "the levels of synchronous training");
    for (RolloutResult result : ahead) {
      assertEquals(12, result.trajectories().size());
      for (int group = 0; group < 4; group++) {
        List<Trajectory> members = result.trajectories().subList(3 * group, 3 * group + 3);
        assertEquals(1, members.stream().map(Trajectory::groupId).distinct().count());
      }
    }
  }

  @Test
  void everyTokenKeepsTheVersionThatWroteIt() {
    AtomicLong version = new AtomicLong();
    TablePolicy table = new TablePolicy(0.5);
    Generator policy =
        requests -> {
          long now = version.getAndIncrement();
          return table
              .generate(requests)
              .thenApply(all -> all.stream().map(g -> writtenBy(now, g)).toList());
        };
    try (RolloutStream stream = service.stream(request(policy), 1, 2)) {
      stream.next().join();
      for (Trajectory played : stream.next().join().trajectories()) {
        long before = -1;
        for (var sequence : played.sequences()) {
          for (int t = 0; t < sequence.tokens().length; t++) {
            assertEquals(sequence.turns()[t] < 0, sequence.versions()[t] < 0);
            if (sequence.turns()[t] > 0 && sequence.turns()[t - 1] < 0) {
              assertTrue(sequence.versions()[t] > before, "each turn is of a later call");
            }
            before = Math.max(before, sequence.versions()[t]);
          }
        }
      }
    }
  }

  private static Generation writtenBy(long version, Generation by) {
    return new Generation(by.tokens(), by.logProbs(), by.samplingLogProbs(), by.stopped(), version);
  }

  @Test
  void whoIsSlowHoldsNobodyUpAndIsPlayedAnewWhenTooOld() {
    EnvConfig slow =
        new EnvConfig(
            "T",
            "trouble",
            "trajectory",
            EnvLimits.steps(5),
            PromptConfig.of("{observation}"),
            Map.of("trouble", "sleep", "sick", 2));
    RolloutRequest request =
        Games.request(
            "train",
            12,
            Games.envs(List.of("T"), List.of(4), 3),
            new TablePolicy(0.5),
            new EnvMonitorConfig(0, 1, 3),
            slow);
    double expired = 0;
    try (RolloutStream stream = service.stream(request, 1, 100)) {
      for (int step = 0; step < 6; step++) {
        RolloutResult result = stream.next().join();
        assertEquals(12, result.trajectories().size());
        expired += metric(result, "scheduler/expired_groups");
      }
      trouble.released = true;
    }
    assertTrue(expired > 0, "sick groups expire");
    while (trouble.open.get() > 0) { // what expired is closed once it wakes up
      Thread.onSpinWait();
    }
  }

  @Test
  void aPolicyThatFailsEndsTheStream() {
    Generator broken = requests -> CompletableFuture.failedFuture(new UserException("no room"));
    try (RolloutStream stream = service.stream(request(broken), 1, 2)) {
      for (int step = 0; step < 2; step++) {
        var failure = assertThrows(CompletionException.class, () -> stream.next().join());
        assertEquals(
            "no room", assertInstanceOf(UserException.class, failure.getCause()).getMessage());
      }
    }
    assertEquals(0, counting.open.get());
  }

  @Test
  void closingFailsWhatSomebodyWaitsFor() {
    Generator silent = requests -> new CompletableFuture<>();
    RolloutStream stream = service.stream(request(silent), 0.5, 2);
    CompletableFuture<RolloutResult> step = stream.next();
    stream.close();
    assertThrows(CancellationException.class, step::join);
    assertThrows(CancellationException.class, stream.next()::join);
    assertEquals(0, counting.open.get());
  }
}
