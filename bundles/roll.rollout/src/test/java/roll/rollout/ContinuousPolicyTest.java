package roll.rollout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntPredicate;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.data.Trajectory;
import roll.api.option.UserException;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.pipeline.RolloutResult;
import roll.runtime.pipeline.RolloutStream;

/** Rollouts with a continuously batching policy. */
@NullMarked
@Timeout(60)
class ContinuousPolicyTest {
  private final CountingGame game = new CountingGame();
  private final RolloutService service = Games.service(game);

  /** A generator that holds some calls back until they are released. */
  private static final class HoldingGenerator implements Generator {
    final TablePolicy table = new TablePolicy(0.5);
    final List<Kept> kept = new CopyOnWriteArrayList<>();
    final IntPredicate keeps;
    private int calls;

    /**
     * A policy.
     *
     * @param keeps which calls, counted from 0, are kept
     */
    HoldingGenerator(IntPredicate keeps) {
      this.keeps = keeps;
    }

    /** A held call. */
    record Kept(
        List<GenerationRequest> requests,
        TablePolicy table,
        CompletableFuture<List<Generation>> answer) {
      void letGo() {
        answer.complete(table.generate(requests).join());
      }
    }

    @Override
    public boolean continuous() {
      return true;
    }

    @Override
    public synchronized CompletableFuture<List<Generation>> generate(
        List<GenerationRequest> requests) {
      if (!keeps.test(calls++)) {
        return table.generate(requests);
      }
      Kept call = new Kept(requests, table, new CompletableFuture<>());
      kept.add(call);
      return call.answer();
    }

    /** Waits until so many calls are kept. */
    void await(int calls) {
      while (kept.size() < calls) {
        Thread.onSpinWait();
      }
    }
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

  @Test
  void aSlowAnswerHoldsUpItsOwnEpisodeOnly() {
    HoldingGenerator desk = new HoldingGenerator(call -> call == 0);
    try (RolloutStream stream = service.stream(request(desk), 1, 2)) {
      RolloutResult first = stream.next().join();
      assertEquals(12, first.trajectories().size());
      assertFalse(desk.kept.getFirst().answer().isDone());
      assertTrue(desk.table.calls.stream().allMatch(requests -> requests.size() == 1));
      CompletableFuture<RolloutResult> second = stream.next();
      desk.kept.getFirst().letGo();
      assertEquals(12, second.join().trajectories().size());
    }
    assertEquals(24 * 5, desk.table.calls.size(), "each turn of each episode was one call");
  }

  @Test
  void everyEpisodeGetsItsOwnAnswerInWhicheverOrderTheyCome() {
    HoldingGenerator desk = new HoldingGenerator(call -> true);
    RolloutResult played;
    try (RolloutStream stream = service.stream(request(desk), 1, 1)) {
      CompletableFuture<RolloutResult> step = stream.next();
      for (int turn = 1; turn <= 5; turn++) {
        desk.await(12 * turn);
        desk.kept
            .subList(12 * (turn - 1), 12 * turn)
            .reversed()
            .forEach(HoldingGenerator.Kept::letGo);
      }
      played = step.join();
    }
    assertSame(service.play(request(new TablePolicy(0.5))).join(), played);
    double generated = played.metrics().getOrDefault("time/rollout_generate", Double.NaN);
    double idle = played.metrics().getOrDefault("time/rollout_env", Double.NaN);
    assertTrue(generated > 0 && idle >= 0, () -> generated + " and " + idle);
  }

  @Test
  void aCallThatFailsEndsTheStreamAndAllOthers() {
    HoldingGenerator desk = new HoldingGenerator(call -> true);
    try (RolloutStream stream = service.stream(request(desk), 1, 1)) {
      CompletableFuture<RolloutResult> step = stream.next();
      desk.await(12);
      desk.kept.get(7).answer().completeExceptionally(new UserException("no room"));
      var failure = assertThrows(CompletionException.class, step::join);
      String reason =
          String.valueOf(assertInstanceOf(UserException.class, failure.getCause()).getMessage());
      assertTrue(reason.matches("episode of A \\(group \\d.*\\): no room"), reason);
      assertThrows(CompletionException.class, stream.next()::join);
    }
    assertEquals(11, desk.kept.stream().filter(call -> call.answer().isCancelled()).count());
    assertEquals(0, game.open.get());
  }

  @Test
  void closingCancelsEveryCall() {
    HoldingGenerator desk = new HoldingGenerator(call -> true);
    RolloutStream stream = service.stream(request(desk), 1, 2);
    CompletableFuture<RolloutResult> step = stream.next();
    desk.await(24);
    stream.close();
    assertThrows(CancellationException.class, step::join);
    assertTrue(desk.kept.stream().allMatch(call -> call.answer().isCancelled()));
    assertEquals(0, game.open.get());
  }

  @Test
  void theCallOfAnEpisodeThatIsNoLongerNeededIsCancelled() {
    HoldingGenerator desk = new HoldingGenerator(call -> call == 0);
    try (RolloutStream stream = service.stream(request(desk), 1, 100)) {
      double expired = 0;
      for (int step = 0; step < 3; step++) {
        expired +=
            stream
                .next(List.of())
                .join()
                .metrics()
                .getOrDefault("scheduler/expired_groups", Double.NaN);
      }
      assertTrue(expired >= 1, "its group is too old by then");
      while (!desk.kept.getFirst().answer().isCancelled()) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void anAnswerOfNoResponseIsAFailure() {
    Generator empty =
        new Generator() {
          @Override
          public boolean continuous() {
            return true;
          }

          @Override
          public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
            return CompletableFuture.completedFuture(List.of());
          }
        };
    try (RolloutStream stream = service.stream(request(empty), 1, 1)) {
      var failure = assertThrows(CompletionException.class, stream.next()::join);
      assertTrue(
          failure.getMessage().contains("1 requests were answered by 0 responses"),
          failure::toString);
    }
  }

  /** Eleven episodes end while the twelfth waits for its first answer. */
  @Test
  void inASingleRolloutToo() throws Exception {
    HoldingGenerator desk = new HoldingGenerator(call -> call == 0);
    CompletableFuture<RolloutResult> rollout = service.play(request(desk));
    while (game.open.get() != 1 || desk.table.calls.size() < 11 * 5) {
      assertFalse(rollout.isDone());
      Thread.onSpinWait();
    }
    assertEquals(11 * 5, desk.table.calls.size());
    desk.kept.getFirst().letGo();
    assertSame(service.play(request(new TablePolicy(0.5))).join(), rollout.join());
    assertEquals(12 * 5, desk.table.calls.size());
  }

  /** The trajectories of both, in their order. */
  private static void assertSame(RolloutResult expected, RolloutResult found) {
    assertEquals(expected.trajectories().size(), found.trajectories().size());
    for (int i = 0; i < expected.trajectories().size(); i++) {
      Trajectory inWaves = expected.trajectories().get(i);
      Trajectory alone = found.trajectories().get(i);
      assertEquals(inWaves.id(), alone.id());
      assertArrayEquals(
          inWaves.sequences().getFirst().tokens(), alone.sequences().getFirst().tokens());
      assertArrayEquals(inWaves.rewards(), alone.rewards());
    }
  }

  @Test
  void aSingleRolloutEndsWithACallThatFails() {
    HoldingGenerator desk = new HoldingGenerator(call -> true);
    CompletableFuture<RolloutResult> rollout = service.play(request(desk));
    desk.await(12);
    desk.kept.get(7).answer().completeExceptionally(new UserException("no room"));
    var failure = assertThrows(CompletionException.class, rollout::join);
    String reason =
        String.valueOf(assertInstanceOf(UserException.class, failure.getCause()).getMessage());
    assertTrue(reason.matches("episode of A \\(group \\d.*\\): no room"), reason);
    assertEquals(11, desk.kept.stream().filter(call -> call.answer().isCancelled()).count());
    assertEquals(0, game.open.get());
  }

  @Test
  void aRolloutThatIsCancelledCancelsEveryCall() {
    HoldingGenerator desk = new HoldingGenerator(call -> true);
    CompletableFuture<RolloutResult> rollout = service.play(request(desk));
    desk.await(12);
    assertTrue(rollout.cancel(true));
    while (game.open.get() > 0
        || !desk.kept.stream().allMatch(call -> call.answer().isCancelled())) {
      Thread.onSpinWait();
    }
  }
}
