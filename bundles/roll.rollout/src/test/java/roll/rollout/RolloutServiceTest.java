package roll.rollout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.data.RandomStreams;
import roll.api.data.Trajectory;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;
import roll.rollout.schedule.GroupPlan;
import roll.rollout.supervise.EpisodeSlot;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.pipeline.RolloutResult;

@NullMarked
@Timeout(60)
class RolloutServiceTest {
  private final CountingGame game = new CountingGame();
  private final RolloutService service = Games.service(game);

  @Test
  void groupsAreTagsInOrderAndMembersShareTheirStart() {
    RolloutResult result =
        service
            .play(
                Games.request(
                    "train",
                    24,
                    Games.envs(List.of("A", "B"), List.of(1, 3), 3),
                    new TablePolicy(0.5),
                    Games.game("A", Map.of()),
                    Games.game("B", Map.of("target", 50))))
            .join();
    List<Trajectory> trajectories = result.trajectories();
    assertEquals(24, trajectories.size());
    int i = 0;
    for (int group = 0; group < 4; group++) {
      for (int episode = 0; episode < 2; episode++) {
        for (int member = 0; member < 3; member++) {
          Trajectory t = trajectories.get(i++);
          assertEquals(group == 0 ? "A" : "B", t.tag());
          assertArrayEquals(
              new int[] {group, episode, member},
              new int[] {t.key().group(), t.key().episode(), t.key().member()});
          assertEquals(EpisodeSlot.seed(42, "train", group, episode, 0), t.key().seed());
          assertEquals((double) (t.key().seed() % 10), t.metrics().get("start"));
        }
      }
    }
    Set<String> ids = new HashSet<>();
    trajectories.forEach(t -> ids.add(t.id()));
    assertEquals(24, ids.size());
    double successes =
        trajectories.stream()
            .filter(t -> t.tag().equals("B"))
            .mapToDouble(t -> t.metrics().getOrDefault("num_actions", Double.NaN))
            .average()
            .orElseThrow();
    assertEquals(successes, result.metrics().get("env/B/num_actions"));
    assertFalse(result.metrics().containsKey("env/B/response_length"));
    assertEquals(
        result.metrics().get("tokens/generated"),
        24 * result.metrics().getOrDefault("env/response_length", Double.NaN));
  }

  @Test
  void lastEpisodeMayHaveFewerGroups() {
    RolloutRequest request =
        Games.request(
            "train",
            10,
            Games.envs(List.of("A"), List.of(3), 2),
            new TablePolicy(0.5),
            Games.game("A", Map.of()));
    assertEquals(
        List.of(
            "0.0.0", "0.0.1", "0.1.0", "0.1.1", "1.0.0", "1.0.1", "1.1.0", "1.1.1", "2.0.0",
            "2.0.1"),
        service.play(request).join().trajectories().stream()
            .map(t -> t.key().group() + "." + t.key().episode() + "." + t.key().member())
            .toList());
    assertThrows(
        IllegalArgumentException.class,
        () ->
            GroupPlan.of(
                Games.request("train", 9, request.envs().manager(), request.policy().generator())));
  }

  @Test
  void whatIsGeneratedTogetherDoesNotDependOnWhoComesFirst() {
    TablePolicy still = new TablePolicy(0.6);
    RolloutResult expected = service.play(restless(still, false)).join();
    for (int run = 0; run < 10; run++) {
      TablePolicy policy = new TablePolicy(0.6);
      RolloutResult result = service.play(restless(policy, true)).join();
      assertEquals(still.calls.size(), policy.calls.size());
      for (int call = 0; call < policy.calls.size(); call++) {
        assertEquals(
            still.calls.get(call).stream().map(GenerationRequest::seed).toList(),
            policy.calls.get(call).stream().map(GenerationRequest::seed).toList());
      }
      for (int i = 0; i < expected.trajectories().size(); i++) {
        Trajectory a = expected.trajectories().get(i);
        Trajectory b = result.trajectories().get(i);
        assertArrayEquals(a.sequences().getFirst().tokens(), b.sequences().getFirst().tokens());
        assertArrayEquals(a.sequences().getFirst().logProbs(), b.sequences().getFirst().logProbs());
        assertEquals(a.metrics(), b.metrics());
        assertEquals(List.copyOf(a.metrics().keySet()), List.copyOf(b.metrics().keySet()));
      }
    }
  }

  private static RolloutRequest restless(TablePolicy policy, boolean restless) {
    return Games.request(
        "train",
        64,
        Games.envs(List.of("A"), List.of(16), 4),
        policy,
        Games.game("A", Map.of("restless", restless, "target", 8)));
  }

  @Test
  void aWaveIsEveryEpisodeThatStillRunsInOrder() {
    TablePolicy policy = new TablePolicy(1);
    EnvManagerConfig envs = Games.envs(List.of("A"), List.of(8), 1);
    RolloutResult result =
        service
            .play(Games.request("val", 8, envs, policy, Games.game("A", Map.of("target", 9))))
            .join();
    for (int turn = 0; turn < policy.calls.size(); turn++) {
      int now = turn;
      List<Long> seeds =
          result.trajectories().stream()
              .filter(t -> t.rewards().length > now)
              .map(t -> RandomStreams.seed(42, "val", t.key().group(), 0, 0, now))
              .toList();
      assertEquals(seeds, policy.calls.get(turn).stream().map(GenerationRequest::seed).toList());
    }
    int longest =
        result.trajectories().stream().mapToInt(t -> t.rewards().length).max().orElseThrow();
    assertEquals(longest, policy.calls.size());
    GenerationRequest first = policy.calls.getFirst().getFirst();
    assertEquals(List.of(CharTokenizer.END, CharTokenizer.PAD), first.stopTokens());
  }

  @Test
  void trainingNeverPlaysAValidationLevel() {
    for (int group = 0; group < 200; group++) {
      for (int episode = 0; episode < 20; episode++) {
        long train = EpisodeSlot.seed(42, "train", group, episode, 0);
        long validation = EpisodeSlot.seed(42, "val", group, episode, 0);
        assertTrue(train >= 0 && train <= Integer.MAX_VALUE && train % 2 == 0);
        assertTrue(validation >= 0 && validation <= Integer.MAX_VALUE && validation % 2 == 1);
      }
    }
    assertNotEquals(EpisodeSlot.seed(42, "val", 0, 0, 0), EpisodeSlot.seed(43, "val", 0, 0, 0));
    assertNotEquals(EpisodeSlot.seed(42, "val", 0, 0, 0), EpisodeSlot.seed(42, "val", 0, 1, 0));
  }

  @Test
  void theFirstEpisodesAreDrawn() {
    EnvManagerConfig envs = Games.envs(List.of("A"), List.of(4), 1);
    RolloutRequest plain =
        Games.request("val", 4, envs, new TablePolicy(0), Games.game("A", Map.of("target", 50)));
    RolloutRequest drawn =
        new RolloutRequest(
            plain.purpose(), plain.seed(), 0, 4, plain.envs(), plain.policy(), plain.models(), 2);
    RolloutResult result = service.play(drawn).join();
    assertEquals(
        result.trajectories().stream().limit(2).map(Trajectory::id).toList(),
        List.copyOf(result.pictures().keySet()));
    Trajectory first = result.trajectories().getFirst();
    var frames = result.pictures().getOrDefault(first.id(), List.of());
    assertEquals(1 + first.rewards().length, frames.size());
    assertEquals(
        IntStream.rangeClosed(0, 5)
            .map(i -> (int) (first.key().seed() % 10 - i) & 0xFFFFFF)
            .boxed()
            .toList(),
        frames.stream().map(image -> image.getRGB(0, 0) & 0xFFFFFF).toList());
  }

  @Test
  void aPolicyThatFailsFailsTheRollout() {
    Generator broken =
        requests -> CompletableFuture.failedFuture(new IllegalStateException("no memory"));
    EnvManagerConfig envs = Games.envs(List.of("A"), List.of(4), 1);
    RolloutRequest request = Games.request("train", 4, envs, broken, Games.game("A", Map.of()));
    var error = assertThrows(CompletionException.class, () -> service.play(request).join());
    assertEquals(
        "generation failed: java.lang.IllegalStateException: no memory", cause(error).getMessage());
    Generator mute = requests -> CompletableFuture.completedFuture(List.<Generation>of());
    RolloutRequest unanswered = Games.request("train", 4, envs, mute, Games.game("A", Map.of()));
    assertEquals(
        "4 requests were answered by 0 responses",
        cause(assertThrows(CompletionException.class, () -> service.play(unanswered).join()))
            .getMessage());
  }

  private static Throwable cause(CompletionException error) {
    return java.util.Objects.requireNonNull(error.getCause());
  }

  /** The caller waits for the rollout: what cannot be kept must end it. */
  @Test
  void aListenerThatFailsEndsTheRollout() {
    RolloutRequest request =
        Games.request(
            "train",
            4,
            Games.envs(List.of("A"), List.of(2), 2),
            new TablePolicy(0.5),
            Games.game("A", Map.of()));
    var playing =
        service.play(
            request,
            (trajectory, frames) -> {
              throw new IllegalStateException("the disk is full");
            });
    var failure = assertThrows(CompletionException.class, playing::join);
    assertTrue(
        String.valueOf(failure.getMessage()).contains("the disk is full"), failure::toString);
    assertEquals(0, game.open.get());
  }

  @Test
  void cancellingEndsTheEpisodesAndTheGeneration() throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(1);
    CompletableFuture<List<Generation>> never = new CompletableFuture<>();
    CountDownLatch cancelled = new CountDownLatch(1);
    var unused =
        never.whenComplete(
            (value, error) -> {
              if (never.isCancelled()) {
                cancelled.countDown();
              }
            });
    Generator policy =
        requests -> {
          asked.countDown();
          return never;
        };
    EnvManagerConfig envs = Games.envs(List.of("A"), List.of(4), 1);
    var playing = service.play(Games.request("train", 4, envs, policy, Games.game("A", Map.of())));
    asked.await();
    playing.cancel(true);
    assertTrue(cancelled.await(30, TimeUnit.SECONDS));
  }

  @Test
  void stoppingTheServiceEndsItsRollouts() throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(1);
    Generator policy =
        requests -> {
          asked.countDown();
          return new CompletableFuture<>();
        };
    EnvManagerConfig envs = Games.envs(List.of("A"), List.of(4), 1);
    var playing = service.play(Games.request("train", 4, envs, policy, Games.game("A", Map.of())));
    asked.await();
    service.deactivate();
    assertThrows(CancellationException.class, playing::join);
    assertEquals(0, game.open.get(), "every episode was closed");
  }
}
