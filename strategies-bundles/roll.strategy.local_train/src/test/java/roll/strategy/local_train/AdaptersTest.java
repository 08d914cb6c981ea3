package roll.strategy.local_train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.config.LoraConfig;
import roll.api.config.ModelConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.option.UserException;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.api.strategy.TrainSession;
import roll.huggingface.Safetensors;

/** Sessions that train low-rank adapters in place of the model. */
class AdaptersTest {
  private final Path folder;
  @AutoClose private final TinyModel model;

  AdaptersTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    this.model = new TinyModel(folder.resolve("source"));
  }

  private SessionConfig config(Path source, Dtype dtype, int lanes, LoraConfig lora) {
    ModelConfig adapted = ModelConfig.of(source, dtype).withLora(lora);
    return model.config(adapted, 2, Map.of("parallel_micro_batches", lanes), 32);
  }

  private TrainSession open(Path source, LoraConfig lora) {
    return model.strategy().open(config(source, Dtype.FP32, 1, lora));
  }

  private static LoraConfig lora(double dropout, String... targets) {
    return new LoraConfig(4, 8, dropout, List.of(targets));
  }

  private static void step(TrainSession session, long seed) {
    TokenBatch batch = TinyModel.batch(seed);
    assertFalse(session.update(batch, TinyModel.likelihood(batch)).join().skipped());
  }

  private static double[] score(TrainSession session) {
    return session.score(TinyModel.batch(0)).join().logProbs();
  }

  private static double[] scoreBase(TrainSession session) {
    return session.scoreBase(TinyModel.batch(0)).join().logProbs();
  }

  /** A folder with the weights the model starts with. */
  private Path weights() {
    Path saved = folder.resolve("weights");
    try (TrainSession session = model.open(Dtype.FP32, 2)) {
      session.save(saved).join();
    }
    return saved;
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void trainsTheAdaptersAndLeavesTheModelAlone(Dtype dtype) throws IOException {
    double[] plain;
    try (TrainSession whole = model.open(dtype, 2)) {
      plain = score(whole);
    }
    LoraConfig lora = lora(0.1, "all-linear");
    Path first = folder.resolve("first");
    Path last = folder.resolve("last");
    try (TrainSession session = model.strategy().open(config(model.folder, dtype, 1, lora))) {
      assertArrayEquals(plain, score(session));
      session.save(first).join();
      for (int i = 0; i < 5; i++) {
        step(session, 0);
      }
      session.save(last).join();
      assertTrue(sum(score(session)) > sum(plain) + 1);
      assertArrayEquals(plain, scoreBase(session));
    }
    Path weights = Path.of("base/model.safetensors");
    assertEquals(-1, Files.mismatch(first.resolve(weights), last.resolve(weights)));
    try (Safetensors moments = Safetensors.open(last.resolve("trainer/moments.safetensors"))) {
      assertEquals(2 * 2 * 7 * 2, moments.tensors().size());
      assertTrue(moments.tensors().keySet().stream().allMatch(name -> name.contains(".lora_")));
    }
  }

  private static double sum(double[] logProbs) {
    return Arrays.stream(logProbs).sum();
  }

  @Test
  void writesWhatPeftReads() throws IOException {
    Path base = weights();
    Path saved = folder.resolve("saved");
    try (TrainSession session = open(base, lora(0, "q_proj", "model.layers.1.mlp.up_proj"))) {
      step(session, 1);
      session.save(saved).join();
    }
    Set<String> files = new TreeSet<>();
    try (Stream<Path> all = Files.walk(saved)) {
      all.filter(Files::isRegularFile).forEach(f -> files.add(saved.relativize(f).toString()));
    }
    assertEquals(
        Set.of(
            "adapter_config.json",
            "adapter_model.safetensors",
            "tokenizer.json",
            "tokenizer_config.json",
            "trainer/moments.safetensors",
            "trainer/state.json"),
        files);
    String config = Files.readString(saved.resolve("adapter_config.json"));
    assertTrue(config.contains("\"base_model_name_or_path\": \"" + base + "\""), config);
    try (Safetensors tensors = Safetensors.open(saved.resolve("adapter_model.safetensors"))) {
      List<String> expected = new ArrayList<>();
      for (String module : List.of("0.self_attn.q_proj", "1.mlp.up_proj", "1.self_attn.q_proj")) {
        expected.add("base_model.model.model.layers." + module + ".lora_A.weight");
        expected.add("base_model.model.model.layers." + module + ".lora_B.weight");
      }
      assertEquals(expected, List.copyOf(tensors.tensors().keySet()));
    }
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void continuesBitForBit(Dtype dtype) throws IOException {
    for (Path source : List.of(model.folder, weights())) {
      for (int lanes : new int[] {1, 2}) {
        SessionConfig config = config(source, dtype, lanes, lora(0.2, "all-linear"));
        List<double[]> whole = model.scores(config, null);
        List<double[]> cut =
            model.scores(config, folder.resolve("cut-" + source.getFileName() + lanes));
        for (int i = 0; i < whole.size(); i++) {
          assertArrayEquals(whole.get(i), cut.get(i), "step " + i);
        }
      }
    }
  }

  @Test
  void dropoutDependsOnTheMicroBatchAndNotOnTheLane() {
    double[][] scores = new double[3][];
    for (int lanes = 1; lanes <= 3; lanes++) {
      SessionConfig config = config(model.folder, Dtype.FP32, lanes, lora(0.3, "all-linear"));
      try (TrainSession session = model.strategy().open(config)) {
        step(session, 1);
        step(session, 2);
        scores[lanes - 1] = score(session);
      }
    }
    assertArrayEquals(scores[0], scores[1], 1e-4);
    assertArrayEquals(scores[0], scores[2], 1e-4);
  }

  @Test
  void dropoutIsAnotherInEveryStep() {
    TokenBatch batch = TinyModel.batch(1);
    try (TrainSession session = open(model.folder, lora(0.5, "all-linear"))) {
      step(session, 1);
      List<double[]> seen = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        session
            .update(
                batch,
                (samples, scores) -> {
                  if (seen.size() < 2 && samples[0] == 0) {
                    seen.add(scores.logProbs());
                  }
                  return TinyModel.likelihood(batch).evaluate(samples, scores);
                })
            .join();
      }
      assertFalse(Arrays.equals(seen.getFirst(), seen.getLast()));
    }
  }

  @Test
  void goesOnWithAdaptersOfAFolder() {
    Path base = weights();
    Path saved = folder.resolve("saved");
    double[] scores;
    try (TrainSession session = open(base, lora(0, "q_proj", "v_proj"))) {
      step(session, 1);
      session.save(saved).join();
      scores = score(session);
    }
    ModelConfig adapted = ModelConfig.of(base, Dtype.FP32).in(base, saved);
    SessionConfig config = model.config(adapted, 2, Map.of(), 32);
    try (TrainSession session = model.strategy().open(config)) {
      assertArrayEquals(scores, score(session));
      double[] before = scoreBase(session);
      step(session, 2);
      assertTrue(Math.abs(sum(scores) - sum(score(session))) > 1e-3);
      assertArrayEquals(before, scoreBase(session));
    }
    ModelConfig alone = ModelConfig.of(saved, Dtype.FP32);
    assertRefused(
        () -> model.strategy().open(model.config(alone, 2, Map.of(), 32)),
        "actor_train.model_args: "
            + saved
            + " holds adapters; to train them on, give it as"
            + " adapter_name_or_path and "
            + base
            + " as model_name_or_path");
  }

  @Test
  void refusesWhatDoesNotFit() throws IOException {
    assertRefused(
        () -> open(model.folder, lora(0, "c_attn")),
        "actor_train.model_args.lora_target: 'c_attn' selects no projection of the model"
            + " (all-linear, q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj)");
    assertRefused(
        () -> model.strategy().openValues(config(model.folder, Dtype.FP32, 1, lora(0, "q_proj"))),
        "actor_train.model_args: a value model is trained whole");
    Path base = weights();
    Path other = folder.resolve("other");
    try (TrainSession session = model.open(Dtype.FP32, 2)) {
      session.save(other).join();
      Throwable none = assertThrows(CompletionException.class, () -> scoreBase(session)).getCause();
      assertTrue(none instanceof UnsupportedOperationException, () -> String.valueOf(none));
    }
    Path saved = folder.resolve("saved");
    try (TrainSession session = open(base, lora(0, "q_proj"))) {
      session.save(saved).join();
    }
    for (LoraConfig another :
        List.of(lora(0, "v_proj"), new LoraConfig(4, 16, 0, List.of("q_proj")))) {
      try (TrainSession session = open(base, another)) {
        assertRefused(
            () -> session.restore(saved).join(), "adapters of another rank, scale, dropout");
      }
    }
    try (TrainSession session = open(other, lora(0, "q_proj"))) {
      assertRefused(
          () -> session.restore(saved).join(),
          saved + ": holds adapters of the model " + base + ", not of " + other);
      assertEquals(0, session.weights().version());
    }
    try (TrainSession session = model.open(Dtype.FP32, 2)) {
      assertRefused(() -> session.restore(saved).join(), "describes another model");
    }
  }

  private static void assertRefused(org.junit.jupiter.api.function.Executable action, String part) {
    Throwable thrown = assertThrows(RuntimeException.class, action);
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    assertTrue(cause instanceof UserException, () -> String.valueOf(cause));
    assertTrue(
        String.valueOf(cause.getMessage()).contains(part),
        () -> String.valueOf(cause.getMessage()));
  }
}
