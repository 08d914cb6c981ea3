package roll.cluster.training;

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
import roll.api.memory.DeviceMemory;
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

/** A model in training on two nodes is, to the last bit, that of one process. */
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

  /** A loss that remembers the order in which it was asked. */
  private record Heard(TokenBatch batch, List<Integer> order) implements LossFunction {
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

  /** What training leaves in {@code to}; the order in which the loss was asked. */
  private List<Integer> train(
      ShardedModels models, SessionConfig config, ParallelLayout layout, Path to) throws Exception {
    List<Integer> order = new ArrayList<>();
    try (TrainSession session = models.open(config, spec -> layout)) {
      for (int step = 0; step < 2; step++) {
        TokenBatch batch = TwoNodes.RUNS.batch(step);
        order.add((int) (session.update(batch, new Heard(batch, order)).join().gradNorm() * 1e6));
      }
      session.save(to.resolve("saved")).join();
      TokenBatch batch = TwoNodes.RUNS.batch(2);
      try (Snapshot snapshot = session.snapshot().join()) {
        assertTrue(session.update(batch, new Heard(batch, order)).join().gradNorm() > 0);
        snapshot.write(to.resolve("snapshot"));
      }
      double[] said = session.score(batch).join().logProbs();
      session.restore(to.resolve("saved")).join();
      assertTrue(session.update(batch, new Heard(batch, order)).join().gradNorm() > 0);
      assertArrayEquals(said, session.score(batch).join().logProbs());
      session.save(to.resolve("again")).join();
      assertEquals(
          config.worker().devices(),
          session.peakMemory().stream().map(DeviceMemory::device).toList());
    }
    return order;
  }

  @ParameterizedTest
  @CsvSource({"2, 1, 1, 3", "2, 1, 1, 1", "4, 1, 1, 3", "1, 2, 1, 1", "2, 1, 2, 1"})
  void learnsWhatOneProcessLearns(int data, int pipeline, int tensor, int zero) throws Exception {
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

  /** The first failure ends the session, in the loss's own words; another one can be opened. */
  @Test
  void aLossThatFailsEndsTheSession() {
    SessionConfig config = TwoNodes.config(2, Map.of());
    TokenBatch batch = TwoNodes.RUNS.batch(1);
    int[] calls = {0};
    LossFunction breaks =
        (samples, scores) -> {
          if (++calls[0] == 2) { // asked by the other node
            throw new IllegalStateException("the loss broke");
          }
          return new Heard(batch, new ArrayList<>()).evaluate(samples, scores);
        };
    try (TrainSession session = nodes.spread.open(config, spec -> layout(2, 1, 1, 3))) {
      assertEquals("the loss broke", failure(session, batch, breaks).getMessage());
      RanksLostException over =
          assertInstanceOf(
              RanksLostException.class,
              failure(session, batch, new Heard(batch, new ArrayList<>())));
      assertTrue(String.valueOf(over.getMessage()).startsWith("the ranks have failed before: "));
    }
    try (TrainSession session = nodes.spread.open(config, spec -> layout(2, 1, 1, 3))) {
      Heard heard = new Heard(batch, new ArrayList<>());
      assertTrue(session.update(batch, heard).join().gradNorm() > 0);
    }
  }

  private static Throwable failure(TrainSession session, TokenBatch batch, LossFunction loss) {
    CompletionException failure =
        assertThrows(CompletionException.class, () -> session.update(batch, loss).join());
    return Objects.requireNonNull(failure.getCause());
  }

  /** A node that leaves in the middle of a step: the others end, and say which. */
  @Test
  void aNodeThatLeavesEndsTheStep() throws Exception {
    SessionConfig config = TwoNodes.config(2, Map.of());
    TokenBatch batch = TwoNodes.RUNS.batch(1);
    try (TrainSession session = nodes.spread.open(config, spec -> layout(2, 1, 1, 3))) {
      CountDownLatch asked = new CountDownLatch(1);
      LossFunction slow =
          (samples, scores) -> {
            asked.countDown();
            try {
              Thread.sleep(300);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            return new Heard(batch, new ArrayList<>()).evaluate(samples, scores);
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

  /** The run goes on from its checkpoint, as where they lose each other later. */
  @Test
  void ranksThatDoNotMeetAreLost() {
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

  /** A node that has left when its weights are to be gathered: whoever reads them hears which. */
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
            + " share every layer (tensor_model_parallel_size: 2) and are on nodes 0 and 1, which"
            + " would meet twice in each; tensor_parallel_across_nodes: true asks for that",
        tensor.getMessage());
  }
}
