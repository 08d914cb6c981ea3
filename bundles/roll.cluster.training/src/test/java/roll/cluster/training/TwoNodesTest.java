package roll.cluster.training;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.memory.SessionMemory;
import roll.api.option.UserException;
import roll.api.rank.RanksLostException;
import roll.api.strategy.Gradients;
import roll.api.strategy.LossFunction;
import roll.api.strategy.ReadableWeights;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.Snapshot;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.parallel.ShardedModels;
import roll.parallel.collective.Collectives;
import roll.parallel.collective.Communicator;
import roll.parallel.collective.LocalProcess;
import roll.parallel.collective.RankFailure;
import roll.parallel.collective.RankGroup;
import roll.parallel.shard.Offload;
import roll.parallel.shard.ParallelLayout;

/** Training on two nodes is bit-for-bit identical to training in one process. */
@Tag("processes")
@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TwoNodesTest {
  @TempDir Path folder;
  private TwoNodes nodes;

  @BeforeEach
  void open() throws Exception {
    nodes = new TwoNodes(folder);
  }

  @AfterEach
  void close() throws IOException {
    nodes.close();
  }

  private static ParallelLayout layout(int data, int pipeline, int tensor, int zero) {
    return new ParallelLayout(
        data,
        pipeline,
        tensor,
        zero,
        false,
        ParallelLayout.Recompute.FULL,
        200,
        true,
        Offload.NOTHING);
  }

  /** A loss that records the order of its evaluations. */
  private record RecordingLoss(TokenBatch batch, List<Integer> order) implements LossFunction {
    @Override
    public Gradients evaluate(int[] samples, roll.api.strategy.Scores scores) {
      double[] by = new double[scores.logProbs().length];
      int cell = 0;
      for (int sample : samples) {
        order.add(sample);
        for (int t = batch.offsets()[sample]; t < batch.offsets()[sample + 1]; t++) {
          by[cell] = batch.scored()[t] ? -0.02 * (1 + Math.sin(scores.logProbs()[cell])) : 0;
          cell++;
        }
      }
      return new Gradients(by, new double[by.length]);
    }
  }

  /** Trains, saves into {@code to}, and returns the order in which the loss was evaluated. */
  private List<Integer> train(
      ShardedModels models, SessionConfig config, ParallelLayout layout, Path to) throws Exception {
    List<Integer> order = new ArrayList<>();
    try (TrainSession session = models.open(config, spec -> layout)) {
      for (int step = 0; step < 2; step++) {
        TokenBatch batch = TwoNodes.RUNS.batch(step);
        order.add(
            (int) (session.update(batch, new RecordingLoss(batch, order)).join().gradNorm() * 1e6));
      }
      session.save(to.resolve("saved")).join();
      TokenBatch batch = TwoNodes.RUNS.batch(2);
      try (Snapshot snapshot = session.snapshot().join()) {
        assertTrue(session.update(batch, new RecordingLoss(batch, order)).join().gradNorm() > 0);
        snapshot.write(to.resolve("snapshot"));
      }
      double[] said = session.score(batch).join().logProbs();
      session.restore(to.resolve("saved")).join();
      assertTrue(session.update(batch, new RecordingLoss(batch, order)).join().gradNorm() > 0);
      assertArrayEquals(said, session.score(batch).join().logProbs());
      session.save(to.resolve("again")).join();
      assertEquals(
          config.worker().devices(),
          session.peakMemory().stream().map(SessionMemory::device).toList());
    }
    return order;
  }

  @ParameterizedTest
  @CsvSource({"2, 1, 1, 3", "2, 1, 1, 1", "4, 1, 1, 3", "1, 2, 1, 1", "2, 1, 2, 1"})
  void resultsAreThoseOfOneProcess(int data, int pipeline, int tensor, int zero) throws Exception {
    ParallelLayout layout = layout(data, pipeline, tensor, zero);
    SessionConfig config = TwoNodes.config(layout.ranks(), Map.of());
    Path expected = folder.resolve("expected");
    Path found = folder.resolve("found");
    assertEquals(
        train(nodes.together, config, layout, expected),
        train(nodes.spread, config, layout, found));
    try (Stream<Path> files = Files.walk(expected)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertEquals(-1, Files.mismatch(file, found.resolve(expected.relativize(file))), file + "");
      }
    }
  }

  /**
   * A failure of the loss ends the session and keeps its message; another session can be opened.
   */
  @Test
  void aLossThatFailsEndsTheSession() {
    SessionConfig config = TwoNodes.config(2, Map.of());
    TokenBatch batch = TwoNodes.RUNS.batch(1);
    int[] calls = {0};
    LossFunction breaks =
        (samples, scores) -> {
          if (++calls[0] == 2) { // evaluated for the other node
            throw new IllegalStateException("the loss broke");
          }
          return new RecordingLoss(batch, new ArrayList<>()).evaluate(samples, scores);
        };
    try (TrainSession session = nodes.spread.open(config, spec -> layout(2, 1, 1, 3))) {
      assertEquals("the loss broke", failure(session, batch, breaks).getMessage());
      RanksLostException over =
          assertInstanceOf(
              RanksLostException.class,
              failure(session, batch, new RecordingLoss(batch, new ArrayList<>())));
      assertTrue(String.valueOf(over.getMessage()).startsWith("the ranks have failed before: "));
    }
    try (TrainSession session = nodes.spread.open(config, spec -> layout(2, 1, 1, 3))) {
      RecordingLoss loss = new RecordingLoss(batch, new ArrayList<>());
      assertTrue(session.update(batch, loss).join().gradNorm() > 0);
    }
  }

  private static Throwable failure(TrainSession session, TokenBatch batch, LossFunction loss) {
    CompletionException failure =
        assertThrows(CompletionException.class, () -> session.update(batch, loss).join());
    return Objects.requireNonNull(failure.getCause());
  }

  /** If a node leaves during a step, the others end and name it. */
  @Test
  void aNodeThatLeavesEndsTheStep() throws Exception {
    SessionConfig config = TwoNodes.config(2, Map.of());
    TokenBatch batch = TwoNodes.RUNS.batch(1);
    try (TrainSession session = nodes.spread.open(config, spec -> layout(2, 1, 1, 3))) {
      CountDownLatch asked = new CountDownLatch(1);
      LossFunction slow =
          (samples, scores) -> {
            asked.countDown();
            await().until(() -> nodes.first.members().size() == 1);
            return new RecordingLoss(batch, new ArrayList<>()).evaluate(samples, scores);
          };
      var step = session.update(batch, slow);
      asked.await();
      nodes.second.close();
      CompletionException failure = assertThrows(CompletionException.class, step::join);
      RanksLostException lost = assertInstanceOf(RanksLostException.class, failure.getCause());
      String line = String.valueOf(lost.getMessage());
      assertTrue(line.contains("second") || line.contains("rank 1 is lost"), line);
    }
    RanksLostException alone =
        assertThrows(
            RanksLostException.class,
            () -> nodes.spread.open(config, spec -> layout(2, 1, 1, 3)).close());
    assertEquals(
        "actor_train.device_mapping: device 1 is on node 1 (num_gpus_per_node: 1), and the run has"
            + " the first node alone: it needs 2",
        alone.getMessage());
  }

  /** Such a run continues from its checkpoint, as after a later loss. */
  @Test
  void ranksThatDoNotConnectAreLost() {
    SessionConfig config = TwoNodes.config(2, Map.of());
    Collectives apart =
        new Collectives() {
          @Override
          public List<Communicator> open(int size) {
            throw new AssertionError("ranks of one process");
          }

          @Override
          public List<Communicator> open(RankGroup group, LocalProcess site) {
            throw new RankFailure("no connection within 60 s");
          }
        };
    RanksLostException lost =
        assertThrows(
            RanksLostException.class,
            () -> nodes.spread(apart).open(config, spec -> layout(2, 1, 1, 3)).close());
    assertTrue(
        String.valueOf(lost.getMessage()).contains("no connection within 60 s"), lost::getMessage);
  }

  /** Reading the weights of a node that has left fails and names it. */
  @Test
  void weightsOfANodeThatHasLeftAreNotRead() throws Exception {
    SessionConfig config = TwoNodes.config(2, Map.of());
    try (TrainSession session = nodes.spread.open(config, spec -> layout(2, 1, 1, 3));
        Arena arena = Arena.ofConfined()) {
      ReadableWeights weights = assertInstanceOf(ReadableWeights.class, session.weights());
      MemorySegment some = arena.allocate(ValueLayout.JAVA_FLOAT, 100);
      weights.read(0, 5, some);
      assertTrue(session.score(TwoNodes.RUNS.batch(1)).join().logProbs().length > 0);
      nodes.second.close();
      RanksLostException lost =
          assertThrows(RanksLostException.class, () -> weights.read(0, 5, some));
      String line = String.valueOf(lost.getMessage());
      assertTrue(line.contains("second") || line.contains("rank 1 is lost"), line);
    }
  }

  @Test
  void layoutsThatDoNotFitNodesAreRefused() {
    SessionConfig config = TwoNodes.config(2, Map.of());
    UserException tensor =
        assertThrows(
            UserException.class,
            () -> nodes.spread.open(config, spec -> layout(1, 1, 2, 1)).close());
    assertEquals(
        "actor_train.strategy_args.strategy_config.tensor_parallel_across_nodes: ranks 0 and 1"
            + " share every layer (tensor_model_parallel_size: 2), but are on nodes 0 and 1, which"
            + " would communicate twice in each layer; tensor_parallel_across_nodes: true allows"
            + " that",
        tensor.getMessage());
  }
}
