package roll.cluster.training;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.option.UserException;
import roll.cluster.ClusterNode;
import roll.cluster.Member;
import roll.cluster.services.codec.MalformedMessageException;
import roll.cluster.services.codec.RecordCodec;
import roll.parallel.collective.RankFailure;
import roll.parallel.collective.RankGroup;
import roll.parallel.collective.RankLocation;
import roll.parallel.shard.Offload;
import roll.parallel.shard.ParallelLayout;
import roll.parallel.world.OptimizerStep;
import roll.parallel.world.ScoredTokens;
import roll.parallel.world.ShardedModelSpec;
import roll.parallel.world.StateRange;
import roll.testkit.SmallDecoder;
import roll.torch.training.AdamW;
import roll.torch.training.TrainState.Kind;

/** Messages between nodes with ranks. */
@Timeout(60)
class RankMessagesTest {
  private static final ParallelLayout LAYOUT =
      new ParallelLayout(
          2,
          1,
          2,
          3,
          true,
          ParallelLayout.Recompute.SELECTIVE,
          40,
          false,
          new Offload(true, false, Path.of("/fast")),
          List.of("visual", "lm_head"));

  private static Object through(Object value) {
    RecordCodec codec = RecordCodec.of(value.getClass());
    return Objects.requireNonNull(codec.read(codec.write(value))[0]);
  }

  @Test
  void messagesAreDecodedUnchanged() {
    ShardedModelSpec order =
        new ShardedModelSpec(
            TwoNodes.config(4, Map.of("reshard_after_forward", true)),
            SmallDecoder.SPEC,
            LAYOUT,
            true);
    assertEquals(order, through(order));
    RankGroup group =
        new RankGroup(
            "actor_train",
            3,
            List.of(
                new RankLocation("a", "127.0.0.1", 0),
                new RankLocation("b", "::1", RankLocation.CPU)),
            Duration.ofMinutes(10),
            true);
    assertEquals(group, through(group));
    OptimizerStep step =
        new OptimizerStep(7, 1e-4, Double.NaN, new AdamW.Settings(0.9, 0.99, 1e-8, 0.1, 1));
    assertEquals(step, through(step));
    ScoredTokens scored =
        new ScoredTokens(new int[] {3, 5}, new float[][] {{1.5f, Float.NaN}, {-0f, 2}});
    assertEquals(scored, through(scored));
    double[][] columns = {{1, Double.NaN}, {2, -0.0}};
    assertArrayEquals(columns, (double[][]) through(columns));
    StateRange run = new StateRange(Kind.SECOND, 100, StateRange.MOST);
    assertEquals(run, through(run));
    byte[] tooLong =
        RecordCodec.of(Run.class).write(new Run(Kind.SECOND, 100, StateRange.MOST + 1));
    assertThrows(
        MalformedMessageException.class, () -> RecordCodec.of(StateRange.class).read(tooLong));
  }

  /** Like {@link StateRange}, without its length check. */
  private record Run(Kind kind, long first, long count) {}

  @Test
  void failuresKeepTheirKind() {
    Member node =
        new Member(new ClusterNode("b", "0.2.0", 1, List.of(), List.of()), "127.0.0.1", 1, 7);
    Throwable refused = failure(node, new UserException("there is no device 4"));
    assertEquals(
        "node b (127.0.0.1:1): there is no device 4",
        assertInstanceOf(UserException.class, refused).getMessage());
    Throwable released = failure(node, new RankFailure(new IllegalStateException("x")));
    assertNotNull(assertInstanceOf(RankFailure.class, released).getCause());
    Throwable failed = failure(node, new CompletionException(new IllegalStateException("x")));
    assertNull(assertInstanceOf(RankFailure.class, failed).getCause());
    assertEquals("node b (127.0.0.1:1): java.lang.IllegalStateException: x", failed.getMessage());
    assertEquals(5, answer(RankAnswer.done(5)).value(node));
    RankAnswer<Integer> error =
        RankAnswer.<Integer>of(
                () -> {
                  throw new NoClassDefFoundError("x");
                })
            .join();
    assertEquals(
        "node b (127.0.0.1:1): java.lang.NoClassDefFoundError: x",
        assertThrows(RankFailure.class, () -> error.value(node)).getMessage());
  }

  private static Throwable failure(Member node, Throwable failure) {
    return assertThrows(
        RuntimeException.class, () -> answer(RankAnswer.failed(failure)).value(node));
  }

  /** Encodes and decodes {@code answer}. */
  private static RankAnswer<?> answer(RankAnswer<Integer> answer) {
    return ((Answered) through(new Answered(answer))).answer();
  }

  private record Answered(RankAnswer<Integer> answer) {}

  /** Commands start in the order of their numbers, also after one that fails. */
  @Test
  void commandsStartInTheirOrder() throws Exception {
    CommandSequence sequence = new CommandSequence();
    List<String> started = new CopyOnWriteArrayList<>();
    CompletableFuture<Boolean> third = start(sequence, 3, () -> started.add("c"));
    CompletableFuture<Boolean> second =
        start(
            sequence,
            2,
            () -> {
              started.add("b");
              throw new IllegalStateException("broken");
            });
    await().during(Duration.ofMillis(20)).until(started::isEmpty);
    assertTrue(start(sequence, 1, () -> started.add("a")).get());
    assertThrows(ExecutionException.class, second::get);
    assertTrue(third.get());
    assertEquals(List.of("a", "b", "c"), started);
    CompletableFuture<Boolean> fifth = start(sequence, 5, () -> started.add("e"));
    sequence.end("the node is gone");
    assertInstanceOf(
        RankFailure.class, assertThrows(ExecutionException.class, fifth::get).getCause());
  }

  private static CompletableFuture<Boolean> start(
      CommandSequence sequence, long number, Runnable command) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    Thread.startVirtualThread(
        () -> {
          try {
            done.complete(
                sequence.start(
                    number,
                    () -> {
                      command.run();
                      return true;
                    }));
          } catch (RuntimeException | InterruptedException e) {
            done.completeExceptionally(e);
          }
        });
    return done;
  }

  /**
   * The group size is part of a message, and must not allocate memory for more ranks than exist.
   */
  @Test
  void groupSizesAreChecked() {
    CoordinatorRendezvous rendezvous = new CoordinatorRendezvous(2);
    for (int size : new int[] {-1, 0, 3, Integer.MAX_VALUE}) {
      assertEquals(
          "all: invalid group size " + size + " (allowed: 1 to 2)",
          assertThrows(
                  IllegalArgumentException.class,
                  () -> rendezvous.add("all", size, 0, new byte[] {1}))
              .getMessage());
    }
    assertEquals(1, rendezvous.add("all", 1, 0, new byte[] {1}).join().size());
  }

  /** A failure ends the waiting for other ranks. */
  @Test
  void aFailureEndsExchanges() {
    CoordinatorRendezvous rendezvous = new CoordinatorRendezvous(2);
    var waiting = rendezvous.add("all", 2, 0, new byte[] {1});
    rendezvous.fail(new UserException("there is no device 4"));
    assertInstanceOf(
        UserException.class, assertThrows(ExecutionException.class, waiting::get).getCause());
    RankFailure late =
        assertThrows(
            RankFailure.class,
            () -> rendezvous.exchange("data", 2, 1, new byte[0], Duration.ofSeconds(1)));
    assertEquals("another rank failed: there is no device 4", late.getMessage());
  }
}
