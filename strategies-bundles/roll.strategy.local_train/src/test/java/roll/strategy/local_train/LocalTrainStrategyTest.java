package roll.strategy.local_train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.SessionActivity;
import roll.api.strategy.Gradients;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.api.strategy.UpdateReport;
import roll.huggingface.Safetensors;
import roll.huggingface.StoredTensor;

/** Training on one device: what it learns, what it leaves alone, and what it refuses. */
class LocalTrainStrategyTest {
  private final Path folder;
  @AutoClose private final TinyModel model;

  LocalTrainStrategyTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    this.model = new TinyModel(folder.resolve("source"));
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void stepsReduceTheLoss(Dtype dtype) {
    TokenBatch batch = TinyModel.batch(1);
    try (TrainSession session = model.open(dtype, 2)) {
      double before = meanLogProb(session, batch);
      assertEquals(0, session.weights().version());
      for (int i = 0; i < 5; i++) {
        UpdateReport report = TinyModel.step(session, batch);
        assertTrue(report.gradNorm() > 0);
        assertFalse(report.skipped());
      }
      assertEquals(5, session.weights().version());
      assertTrue(meanLogProb(session, batch) > before + 0.1);
    }
  }

  @Test
  void bf16LearnsAsF32Does() {
    TokenBatch batch = TinyModel.batch(1);
    Map<Dtype, Double> reached = new EnumMap<>(Dtype.class);
    for (Dtype dtype : Dtype.values()) {
      try (TrainSession session = model.open(dtype, 2)) {
        double before = meanLogProb(session, batch);
        for (int i = 0; i < 20; i++) {
          TinyModel.step(session, batch);
        }
        reached.put(dtype, meanLogProb(session, batch));
        assertTrue(
            reached.get(dtype) > before + 2, () -> "%s, before %f".formatted(reached, before));
      }
    }
    assertEquals(reached.get(Dtype.FP32), reached.get(Dtype.BF16), 0.1);
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void trainsAllButWhatIsFrozen(Dtype dtype) throws IOException {
    ModelConfig part =
        ModelConfig.of(model.folder, dtype).withFrozen(List.of("model.embed", "model.layers.0."));
    SessionConfig config = model.config(part, 2, Map.of("parallel_micro_batches", 2), 32);
    Path start = folder.resolve("start");
    Path end = folder.resolve("end");
    double[] scores;
    try (TrainSession session = model.strategy().open(config)) {
      session.save(start).join();
      assertTrue(TinyModel.step(session, TinyModel.batch(1)).gradNorm() > 0);
      session.save(end).join();
      TinyModel.step(session, TinyModel.batch(2));
      scores = session.score(TinyModel.batch(0)).join().logProbs();
    }
    try (Safetensors before = Safetensors.open(start);
        Safetensors after = Safetensors.open(end);
        Safetensors moments = Safetensors.open(end.resolve("trainer/moments.safetensors"));
        Arena arena = Arena.ofConfined()) {
      for (var tensor : before.tensors().entrySet()) {
        String name = tensor.getKey();
        boolean frozen = part.frozen().stream().anyMatch(name::startsWith);
        StoredTensor trained = Objects.requireNonNull(after.tensors().get(name));
        assertEquals(frozen, tensor.getValue().map(arena).mismatch(trained.map(arena)) == -1, name);
        assertEquals(!frozen, moments.tensors().containsKey("first." + name), name);
      }
    }
    try (TrainSession session = model.strategy().open(config)) {
      session.restore(end).join();
      TinyModel.step(session, TinyModel.batch(2));
      assertArrayEquals(scores, session.score(TinyModel.batch(0)).join().logProbs());
    }
  }

  @Test
  void leavesTheWeightsAloneWhereTheLossIsNotFinite() {
    TokenBatch batch = TinyModel.batch(3);
    try (TrainSession session = model.open(Dtype.FP32, 2);
        TrainSession other = model.open(Dtype.FP32, 2)) {
      TinyModel.step(session, batch);
      TinyModel.step(other, batch);
      double[] before = session.score(batch).join().logProbs();
      UpdateReport report =
          session
              .update(
                  batch,
                  (samples, scores) -> {
                    double[] broken = new double[scores.logProbs().length];
                    Arrays.fill(broken, Double.NaN);
                    return new Gradients(broken, new double[broken.length]);
                  })
              .join();
      assertTrue(report.skipped());
      assertFalse(Double.isFinite(report.gradNorm()));
      assertEquals(1, session.weights().version());
      assertArrayEquals(before, session.score(batch).join().logProbs());
      UpdateReport next = TinyModel.step(session, batch);
      assertEquals(
          TinyModel.step(other, batch),
          new UpdateReport(next.gradNorm(), next.learningRate(), next.skipped(), 0));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aFailedLossLeavesNoGradientBehind(int lanes) {
    TokenBatch batch = TinyModel.batch(4);
    try (TrainSession session = model.open(Dtype.FP32, 2, lanes);
        TrainSession other = model.open(Dtype.FP32, 2, lanes)) {
      int[] calls = new int[1];
      assertThrows(
          CompletionException.class,
          () ->
              session
                  .update(
                      batch,
                      (samples, scores) -> {
                        if (calls[0]++ == 1) {
                          throw new IllegalStateException("broken loss");
                        }
                        return TinyModel.likelihood(batch).evaluate(samples, scores);
                      })
                  .join());
      TinyModel.step(session, batch);
      TinyModel.step(other, batch);
      assertArrayEquals(
          other.score(batch).join().logProbs(), session.score(batch).join().logProbs());
    }
  }

  @Test
  void heldIsWhatWasExpected() {
    for (Dtype dtype : Dtype.values()) {
      SessionConfig config = model.config(dtype, 1, Map.of("parallel_micro_batches", 2), 32);
      try (TrainSession session = model.strategy().open(config)) {
        TinyModel.step(session, TinyModel.batch(1));
        assertEquals(
            model.strategy().expected(config, model.spec(), SessionActivity.REST),
            session.peakMemory());
      }
    }
  }

  @Test
  void refusesSeveralDevices() {
    SessionConfig config = model.onDevices(List.of(0, 1), 2);
    String refusal = userError(() -> model.strategy().open(config));
    assertEquals(
        "actor_train.device_mapping: [0, 1]: local_train trains on one device; deepspeed_train"
            + " (ZeRO) or megatron_train train on several",
        refusal);
    assertEquals(refusal, userError(() -> model.strategy().notices(config.worker())));
    SessionConfig absent = model.onDevices(List.of(3), 2);
    assertTrue(
        userError(() -> model.strategy().open(absent))
            .startsWith("there is no device 3 (device_mapping"));
    try (TrainSession session = model.strategy().open(model.onDevices(List.of(1), 2))) {
      assertTrue(session.score(TinyModel.batch(1)).join().logProbs().length > 0);
    }
  }

  @Test
  void refusesOptionsAndLengths() {
    Map<String, Object> deepspeed = Map.of("zero_optimization", Map.of("stage", 2));
    String options =
        userError(() -> model.strategy().open(model.config(Dtype.FP32, 1, deepspeed, 32)));
    assertEquals(
        "actor_train.strategy_args.strategy_config: unknown key 'zero_optimization'"
            + " (allowed: parallel_micro_batches)",
        options);
    String length =
        userError(() -> model.strategy().open(model.config(Dtype.FP32, 1, Map.of(), 65)));
    assertTrue(length.contains("sequence_length: 65 is more than max_position_embeddings 64"));
  }

  private static double meanLogProb(TrainSession session, TokenBatch batch) {
    return Arrays.stream(session.score(batch).join().logProbs()).average().orElseThrow();
  }
}
