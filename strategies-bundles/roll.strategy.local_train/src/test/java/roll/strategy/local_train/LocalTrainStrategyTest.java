package roll.strategy.local_train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.memory.Activity;
import roll.api.option.UserException;
import roll.api.strategy.Gradients;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.api.strategy.UpdateReport;
import roll.torch.huggingface.Safetensors;
import roll.torch.huggingface.StoredTensor;

class LocalTrainStrategyTest {
  private final Path folder;
  private final TinyModel model;

  LocalTrainStrategyTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    this.model = new TinyModel(folder.resolve("source"));
  }

  @AfterEach
  void close() {
    model.close();
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void stepsReduceTheLoss(Dtype dtype) {
    TokenBatch batch = TinyModel.batch(1);
    try (TrainSession session = model.open(dtype, 2)) {
      double before = meanLogProb(session, batch);
      assertEquals(0, session.weights().version());
      for (int i = 0; i < 5; i++) {
        UpdateReport report = step(session, batch);
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
          step(session, batch);
        }
        reached.put(dtype, meanLogProb(session, batch));
        assertTrue(
            reached.get(dtype) > before + 2, () -> "%s, before %f".formatted(reached, before));
      }
    }
    assertEquals(reached.get(Dtype.FP32), reached.get(Dtype.BF16), 0.1);
  }

  @Test
  void doesNotDependOnTheMicroBatch() {
    TokenBatch batch = TinyModel.batch(2);
    List<Supplier<TrainSession>> cuts =
        List.of(
            () -> model.open(Dtype.FP32, 1),
            () -> model.open(Dtype.FP32, 3),
            () -> model.open(Dtype.FP32, 100),
            () -> model.openByTokens(45, 25),
            () -> model.openByTokens(1, 1));
    double[] norms = new double[cuts.size()];
    double[][] scores = new double[cuts.size()][];
    for (int i = 0; i < cuts.size(); i++) {
      try (TrainSession session = cuts.get(i).get()) {
        norms[i] = step(session, batch).gradNorm();
        scores[i] = session.score(batch).join().logProbs();
      }
    }
    for (int i = 1; i < cuts.size(); i++) {
      assertEquals(norms[0], norms[i], 1e-5 * norms[0]);
      for (int t = 0; t < scores[0].length; t++) {
        assertEquals(scores[0][t], scores[i][t], 1e-5 * Math.abs(scores[0][t]));
      }
    }
  }

  @Test
  void microBatchesAtOnceGiveTheSame() {
    List<double[]> one = run(Dtype.FP32, 3, 1);
    for (int lanes : new int[] {2, 3}) {
      List<double[]> some = run(Dtype.FP32, 3, lanes);
      assertSame(some, run(Dtype.FP32, 3, lanes));
      for (int i = 0; i < one.size(); i++) {
        assertArrayEquals(one.get(i), some.get(i), 1e-4);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void continuesBitForBit(Dtype dtype) throws IOException {
    List<double[]> whole = run(dtype, 6, 2);
    assertSame(whole, run(dtype, 6, 2));
    assertSame(whole, run(dtype, 6, 2, folder.resolve("checkpoint")));
  }

  private List<double[]> run(Dtype dtype, int steps, int lanes) {
    return run(dtype, steps, lanes, null);
  }

  /**
   * Scores after each of {@code steps} steps; with a checkpoint, the second half in a new session.
   */
  private List<double[]> run(Dtype dtype, int steps, int lanes, @Nullable Path checkpoint) {
    List<double[]> scores = new ArrayList<>();
    TrainSession session = model.open(dtype, 2, lanes);
    try {
      for (int i = 0; i < steps; i++) {
        if (checkpoint != null && i == steps / 2) {
          session.save(checkpoint).join();
          session.close();
          session = model.open(dtype, 2, lanes);
          session.restore(checkpoint).join();
          assertEquals(i, session.weights().version());
        }
        scores.add(new double[] {step(session, TinyModel.batch(i)).learningRate()});
        scores.add(session.score(TinyModel.batch(0)).join().logProbs());
      }
      return scores;
    } finally {
      session.close();
    }
  }

  private static void assertSame(List<double[]> expected, List<double[]> found) {
    for (int i = 0; i < expected.size(); i++) {
      assertArrayEquals(expected.get(i), found.get(i), "step " + i / 2);
    }
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
      assertTrue(step(session, TinyModel.batch(1)).gradNorm() > 0);
      session.save(end).join();
      step(session, TinyModel.batch(2));
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
      step(session, TinyModel.batch(2));
      assertArrayEquals(scores, session.score(TinyModel.batch(0)).join().logProbs());
    }
  }

  @Test
  void leavesTheWeightsAloneWhereTheLossIsNotFinite() {
    TokenBatch batch = TinyModel.batch(3);
    try (TrainSession session = model.open(Dtype.FP32, 2);
        TrainSession other = model.open(Dtype.FP32, 2)) {
      step(session, batch);
      step(other, batch);
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
      UpdateReport next = step(session, batch);
      assertEquals(
          step(other, batch),
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
      step(session, batch);
      step(other, batch);
      assertArrayEquals(
          other.score(batch).join().logProbs(), session.score(batch).join().logProbs());
    }
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void savesAHuggingFaceFolder(Dtype dtype) throws IOException {
    Path saved = folder.resolve("saved");
    TokenBatch batch = TinyModel.batch(5);
    double[] scores;
    try (TrainSession session = model.open(dtype, 4)) {
      step(session, batch);
      session.save(saved).join();
      scores = session.score(batch).join().logProbs();
    }
    String type = dtype == Dtype.BF16 ? "bfloat16" : "float32";
    assertEquals(
        """
        {
          "model_type": "tiny",
          "rms_norm_eps": 1e-05,
          "unknown <field>": [
            1,
            null,
            2.50
          ],
          "torch_dtype": "%s"
        }
        """
            .formatted(type),
        Files.readString(saved.resolve("config.json")));
    for (String file : List.of("tokenizer.json", "tokenizer_config.json")) {
      assertEquals(-1, Files.mismatch(model.folder.resolve(file), saved.resolve(file)));
    }
    try (TinyModel other = new TinyModel(folder.resolve("other"))) {
      Files.copy(saved.resolve("model.safetensors"), other.folder.resolve("model.safetensors"));
      try (TrainSession session = other.open(dtype, 4)) {
        assertArrayEquals(scores, session.score(batch).join().logProbs());
      }
    }
  }

  @Test
  void refusesAFolderThatDoesNotFit() throws IOException {
    Path saved = folder.resolve("saved");
    try (TrainSession session = model.open(Dtype.FP32, 4)) {
      session.save(saved).join();
      Path state = saved.resolve("trainer/state.json");
      Files.writeString(state, "{\"steps\": -1}");
      refused(session, saved, "steps: expected a whole number");
      Files.writeString(state, "{\"steps\": ");
      refused(session, saved, "is not the state of a checkpoint");
      Files.delete(state);
      refused(session, saved, "missing, so this is no checkpoint of a trained model");
      Files.writeString(state, "{\"steps\": 1}");
      Path config = saved.resolve("config.json");
      Files.writeString(
          config, Files.readString(config).replace("{\n", "{\"tie_word_embeddings\": false,\n"));
      refused(session, saved, "config.json describes another model");
      assertEquals(0, session.weights().version());
    }
  }

  private static void refused(TrainSession session, Path saved, String part) {
    Throwable cause =
        assertThrows(CompletionException.class, () -> session.restore(saved).join()).getCause();
    assertTrue(cause instanceof UserException, () -> String.valueOf(cause));
    assertTrue(String.valueOf(cause.getMessage()).contains(part), () -> String.valueOf(cause));
  }

  @Test
  void refusesSeveralDevices() {
    SessionConfig config = model.onDevices(List.of(0, 1), 2);
    String refusal =
        assertThrows(UserException.class, () -> model.strategy().open(config)).getMessage();
    assertEquals(
        "actor_train.device_mapping: [0, 1]: local_train trains on one device; deepspeed_train"
            + " (ZeRO) or megatron_train train on several",
        refusal);
    assertEquals(
        refusal,
        assertThrows(UserException.class, () -> model.strategy().notices(config.worker()))
            .getMessage());
    SessionConfig absent = model.onDevices(List.of(3), 2);
    assertTrue(
        assertThrows(UserException.class, () -> model.strategy().open(absent))
            .getMessage()
            .startsWith("device_mapping: there is no device 3"));
    try (TrainSession session = model.strategy().open(model.onDevices(List.of(1), 2))) {
      assertTrue(session.score(TinyModel.batch(1)).join().logProbs().length > 0);
    }
  }

  @Test
  void refusesOptionsAndLengths() {
    Map<String, Object> deepspeed = Map.of("zero_optimization", Map.of("stage", 2));
    String options =
        assertThrows(
                UserException.class,
                () -> model.strategy().open(model.config(Dtype.FP32, 1, deepspeed, 32)))
            .getMessage();
    assertEquals(
        "actor_train.strategy_args.strategy_config: unknown key 'zero_optimization'"
            + " (allowed: parallel_micro_batches)",
        options);
    String length =
        assertThrows(
                UserException.class,
                () -> model.strategy().open(model.config(Dtype.FP32, 1, Map.of(), 65)))
            .getMessage();
    assertTrue(length.contains("sequence_length: 65 is more than max_position_embeddings 64"));
  }

  @Test
  void heldIsWhatWasExpected() {
    for (Dtype dtype : Dtype.values()) {
      SessionConfig config = model.config(dtype, 1, Map.of("parallel_micro_batches", 2), 32);
      try (TrainSession session = model.strategy().open(config)) {
        step(session, TinyModel.batch(1));
        assertEquals(
            model.strategy().expected(config, model.spec(), Activity.REST), session.held());
      }
    }
  }

  private static UpdateReport step(TrainSession session, TokenBatch batch) {
    UpdateReport report = session.update(batch, TinyModel.likelihood(batch)).join();
    return new UpdateReport(report.gradNorm(), report.learningRate(), report.skipped(), 0);
  }

  private static double meanLogProb(TrainSession session, TokenBatch batch) {
    return Arrays.stream(session.score(batch).join().logProbs()).average().orElseThrow();
  }
}
