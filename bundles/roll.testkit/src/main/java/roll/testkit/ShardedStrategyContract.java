package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.SessionMemory;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.Scores;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.Snapshot;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.api.strategy.TrainStrategy;
import roll.api.strategy.UpdateReport;
import roll.api.strategy.ValueLossFunction;
import roll.api.strategy.ValueSession;

/**
 * The guarantees of strategies that shard one model over several ranks: results are those of one
 * device, and a session continues after saving, copying or a failure.
 */
public abstract class ShardedStrategyContract {
  private final Path folder;

  /**
   * Creates the test with a folder for files.
   *
   * @param folder empty folder, deleted after the test
   */
  protected ShardedStrategyContract(@TempDir Path folder) {
    this.folder = folder;
  }

  /** Returns the strategy that trains. */
  protected abstract TrainStrategy training();

  /** Returns the strategy that scores with a frozen model. */
  protected abstract InferStrategy inference();

  /** Returns the model and the name of the training strategy. */
  protected abstract RankFixtures runs();

  /** Returns the number of devices for {@link #options}. */
  protected abstract int devices();

  /** Returns the {@code strategy_config} to test with. */
  protected abstract Map<String, Object> options();

  /** Returns the log-probs of {@code batch} on one device before training. */
  protected abstract double[] alone(TokenBatch batch);

  private TrainSession open(int devices, Map<String, Object> options) {
    return training().open(RankFixtures.config(runs().worker(devices, options)));
  }

  private TokenBatch batch(long seed) {
    return runs().batch(seed);
  }

  private double[] score(TrainSession session) {
    return session.score(batch(0)).join().logProbs();
  }

  @ContractTest(
      value = "Several ranks give the scores of one device.",
      look = "score(): the collectives of the forward pass")
  void scoresAsOneDeviceDoes() {
    double[] expected = alone(batch(0));
    try (TrainSession session = open(devices(), options())) {
      assertArrayEquals(expected, score(session), 1e-4);
    }
    var worker =
        runs()
            .worker("reference", ModelConfig.of(runs().model(), Dtype.FP32), devices(), options());
    try (InferSession session = inference().open(RankFixtures.config(worker))) {
      assertArrayEquals(expected, session.score(batch(0)).join().logProbs(), 1e-4);
    }
  }

  @ContractTest(
      value =
          "Several ranks apply a temperature to log-probs, entropies and gradients like one "
              + "device.",
      look = "score() and update(): where logits are divided by the temperature")
  void dividesLogitsAsOneDeviceDoes() {
    ModelConfig model = ModelConfig.of(runs().model(), Dtype.FP32).withTemperature(0.2);
    var many = RankFixtures.config(runs().worker("actor_train", model, devices(), options()));
    var one = RankFixtures.config(runs().worker("actor_train", model, 1, Map.of()));
    try (TrainSession session = training().open(many);
        TrainSession expected = training().open(one)) {
      double[] undivided = alone(batch(0));
      for (int step = 0; step < 2; step++) {
        Scores scores = session.score(batch(0)).join();
        assertArrayEquals(expected.score(batch(0)).join().logProbs(), scores.logProbs(), 1e-3);
        assertArrayEquals(expected.score(batch(0)).join().entropies(), scores.entropies(), 1e-3);
        double apart =
            IntStream.range(0, undivided.length)
                .mapToDouble(t -> Math.abs(undivided[t] - scores.logProbs()[t]))
                .max()
                .orElseThrow();
        assertTrue(apart > 0.1, () -> "divided or not, they are only " + apart + " apart");
        steps(session, 0, 1);
        steps(expected, 0, 1);
      }
    }
  }

  @ContractTest(
      value =
          "Training on several ranks raises the log-probs and reports the memory of every "
              + "rank.",
      look = "update() and held()")
  void trainsAndReportsItsMemory() {
    TokenBatch batch = batch(1);
    try (TrainSession session = open(devices(), options())) {
      double before = Arrays.stream(session.score(batch).join().logProbs()).sum();
      for (int step = 0; step < 5; step++) {
        var report = session.update(batch, RankFixtures.likelihood(batch, 0.02)).join();
        assertTrue(report.gradNorm() > 0);
        assertEquals(0.01, report.learningRate());
      }
      assertEquals(5, session.weights().version());
      assertTrue(Arrays.stream(session.score(batch).join().logProbs()).sum() > before + 10);
      assertEquals(
          List.of(0, 1),
          session.peakMemory().stream().map(SessionMemory::device).limit(2).toList());
    }
  }

  @ContractTest(
      value =
          "A restored session continues bit for bit on the same ranks, and up to rounding on "
              + "one device.",
      look = "save() and restore(): the shards of weights and optimizer state")
  void continuesBitForBit() {
    Path saved = folder.resolve("saved");
    double[] whole;
    try (TrainSession session = open(devices(), options())) {
      steps(session, 0, 2);
      session.save(saved).join();
      steps(session, 2, 4);
      whole = score(session);
    }
    try (TrainSession session = open(devices(), options())) {
      session.restore(saved).join();
      assertEquals(2, session.weights().version());
      assertEquals(List.of(), session.numericsInfo().changes(), "all is as it was on this machine");
      steps(session, 2, 4);
      assertArrayEquals(whole, score(session));
    }
    try (TrainSession session = open(1, Map.of())) {
      session.restore(saved).join();
      steps(session, 2, 4);
      assertArrayEquals(whole, score(session), 1e-3);
    }
  }

  @ContractTest(
      value = "A snapshot written after further training has the files of the moment it was made.",
      look = "snapshot(): copy all tensors")
  void aSnapshotKeepsItsMoment() throws Exception {
    Path saved = folder.resolve("saved");
    Path written = folder.resolve("written");
    try (TrainSession session = open(devices(), options())) {
      steps(session, 0, 1);
      session.save(saved).join();
      try (Snapshot snapshot = session.snapshot().join()) {
        steps(session, 1, 2);
        snapshot.write(written);
      }
    }
    try (Stream<Path> files = Files.walk(saved)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertEquals(-1, Files.mismatch(file, written.resolve(saved.relativize(file))), file + "");
      }
    }
  }

  private void steps(TrainSession session, int first, int end) {
    for (int step = first; step < end; step++) {
      TokenBatch batch = batch(step);
      session.update(batch, RankFixtures.likelihood(batch, 0.02)).join();
    }
  }

  @ContractTest(
      value = "Common prefixes computed once change scores and gradients by rounding only.",
      look = "how the batch is divided among ranks, and the layout of segments")
  void sharedPrefixesChangeOnlyTheRounding() {
    TokenBatch batch = runs().groups(1);
    WorkerConfig worker = runs().worker(devices(), options());
    try (TrainSession plain = training().open(RankFixtures.config(worker));
        TrainSession shared = training().open(RankFixtures.config(RankFixtures.sharing(worker)))) {
      for (int step = 0; step < 2; step++) {
        assertArrayEquals(
            plain.score(batch).join().logProbs(), shared.score(batch).join().logProbs(), 1e-4);
        UpdateReport expected = plain.update(batch, RankFixtures.likelihood(batch, 0.02)).join();
        UpdateReport report = shared.update(batch, RankFixtures.likelihood(batch, 0.02)).join();
        assertEquals(expected.gradNorm(), report.gradNorm(), 1e-4 * expected.gradNorm());
        assertEquals(0, expected.sharedTokens());
        assertTrue(report.sharedTokens() > 0.2, () -> "shared " + report.sharedTokens());
      }
    }
  }

  @ContractTest(
      value = "Adapters trained on several ranks have the scores and files of one device.",
      look = "the sharding of LoRA A and B")
  void adaptersAreThoseOfOneDevice() {
    new ShardedAdapterChecks(training(), runs(), folder)
        .check(devices(), options(), RankFixtures.likelihood(batch(1), 0.02));
  }

  @ContractTest(
      value = "A value model on several ranks learns, and continues bit for bit after a restore.",
      look = "openValues()")
  void aValueModelLearnsAndContinues() {
    Path saved = folder.resolve("critic");
    TokenBatch batch = batch(1);
    ValueLossFunction toOne =
        (samples, values) -> {
          double[] by = new double[values.length];
          int cell = 0;
          for (int sample : samples) {
            for (int t = batch.offsets()[sample]; t < batch.offsets()[sample + 1]; t++) {
              by[cell] = batch.scored()[t] ? (values[cell] - 1) / 50 : 0;
              cell++;
            }
          }
          return by;
        };
    double[] learned;
    var config = RankFixtures.config(runs().worker(devices(), options()));
    try (ValueSession session = training().openValues(config)) {
      double before = error(session, batch);
      for (int step = 0; step < 10; step++) {
        session.update(batch, toOne).join();
      }
      assertTrue(error(session, batch) < before / 2);
      session.save(saved).join();
      session.update(batch, toOne).join();
      learned = session.values(batch).join();
    }
    try (ValueSession session = training().openValues(config)) {
      session.restore(saved).join();
      session.update(batch, toOne).join();
      assertArrayEquals(learned, session.values(batch).join());
    }
  }

  private static double error(ValueSession session, TokenBatch batch) {
    double[] values = session.values(batch).join();
    double sum = 0;
    for (int t = 0; t < values.length; t++) {
      sum += batch.scored()[t] ? Math.pow(values[t] - 1, 2) : 0;
    }
    return sum;
  }

  @ContractTest(
      value = "A loss that throws changes nothing, and the session continues.",
      look = "update(): release all ranks when the loss throws")
  void aLossThatFailsChangesNothing() {
    TokenBatch batch = batch(1);
    try (TrainSession session = open(devices(), options())) {
      double[] before = score(session);
      CompletionException failure =
          assertThrows(
              CompletionException.class,
              () ->
                  session
                      .update(
                          batch,
                          (samples, scores) -> {
                            throw new IllegalStateException("the loss broke");
                          })
                      .join());
      assertEquals("the loss broke", Objects.requireNonNull(failure.getCause()).getMessage());
      assertArrayEquals(before, score(session));
      session.update(batch, RankFixtures.likelihood(batch, 0.02)).join();
      try (TrainSession other = open(devices(), options())) {
        other.update(batch, RankFixtures.likelihood(batch, 0.02)).join();
        assertArrayEquals(score(other), score(session));
      }
    }
  }

  @ContractTest(
      value = "A sequence_length above max_position_embeddings is refused.",
      look = "open()")
  void sequencesLongerThanTheModelAreRefused() {
    var worker = runs().worker(devices(), options());
    assertEquals(
        "sequence_length: %d is more than max_position_embeddings %d of %s"
            .formatted(runs().positions() + 1, runs().positions(), runs().model()),
        userError(
            () ->
                training()
                    .open(
                        new SessionConfig(
                            worker, 5, 1.0, runs().positions() + 1, false, devices()))));
  }
}
