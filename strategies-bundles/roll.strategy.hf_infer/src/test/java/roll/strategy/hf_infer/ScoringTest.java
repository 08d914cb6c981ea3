package roll.strategy.hf_infer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.config.ModelConfig;
import roll.api.config.SequencePacking;
import roll.api.config.TokenBudgets;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionActivity;
import roll.api.memory.SessionMemory;
import roll.api.model.DecoderSpec;
import roll.api.option.UserException;
import roll.api.scoring.ScoringSession;
import roll.api.strategy.SessionConfig;
import roll.decoder.DecoderParameters;
import roll.huggingface.Safetensors;
import roll.huggingface.SafetensorsWriter;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;
import roll.testkit.TestOptions;

/** Reward models against a forward pass in double precision. */
final class ScoringTest {
  private static final int HIDDEN = 24;
  private static final double BIAS = 0.5;

  /** Sequences of one token, of some, of the maximum length, of some again. */
  private static final List<int[]> SEQUENCES =
      IntStream.of(1, 17, 128, 30)
          .mapToObj(n -> RandomStreams.of(n, "sequence").ints(n, 0, 160).toArray())
          .toList();

  /** The numbers of the head, as bf16 holds them. */
  private static final float[] HEAD = head();

  private final Path folder;

  ScoringTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private static float[] head() {
    float[] head = new float[HIDDEN];
    for (int i = 0; i < HIDDEN; i++) {
      float number = (float) RandomStreams.of(i, "head").nextGaussian();
      head[i] = Float.intBitsToFloat(Float.floatToIntBits(number) & 0xFFFF0000);
    }
    return head;
  }

  private RandomModel model(String type) throws IOException {
    return new RandomModel(
        folder,
        """
        {"model_type": "%s", "hidden_size": %d, "num_attention_heads": 4,
         "num_key_value_heads": 2, "rope_theta": 500.0, "tie_word_embeddings": false}
        """
            .formatted(type, HIDDEN));
  }

  /** Writes the weights of {@code model} with these tensors in place of the token head. */
  private Path headed(RandomModel model, TensorFormat format, StoredTensor... head)
      throws IOException {
    Path target = Files.createTempDirectory(folder, "headed");
    for (String file : List.of("tokenizer.json", "tokenizer_config.json")) {
      Files.copy(folder.resolve(file), target.resolve(file));
    }
    JsonObject config = model.config.deepCopy();
    config.add("architectures", JsonParser.parseString("['AnyForSequenceClassification']"));
    Files.writeString(target.resolve("config.json"), config.toString());
    try (Safetensors files = Safetensors.open(folder)) {
      List<StoredTensor> tensors =
          Stream.concat(
                  files.tensors().values().stream()
                      .filter(tensor -> !tensor.name().equals("lm_head.weight"))
                      .map(HeadTensors::copy),
                  Arrays.stream(head))
              .toList();
      SafetensorsWriter.writeModel(target, tensors, format, SafetensorsWriter.SHARD_BYTES);
    }
    return target;
  }

  private static StoredTensor weight(String name) {
    return HeadTensors.tensor(name, List.of(1L, (long) HIDDEN), HEAD);
  }

  private static StoredTensor bias(String name) {
    return HeadTensors.tensor(name, List.of(1L), (float) BIAS);
  }

  private static SessionConfig config(Path path, Dtype dtype, TokenBudgets budgets) {
    return config(ModelConfig.of(path, dtype).withRandomWeights(false), budgets);
  }

  private static SessionConfig config(ModelConfig model, TokenBudgets budgets) {
    WorkerConfig worker =
        new WorkerConfig(
                "reward_models.rm",
                model,
                "native",
                "hf_infer",
                TestOptions.strategy("reward_models.rm", Map.of()),
                TrainingConfig.NONE,
                List.of(),
                4)
            .withBudgets(budgets);
    return new SessionConfig(worker, 1, 1.0, 128, true, 1);
  }

  private static ScoringSession open(RandomModel model, SessionConfig config) {
    return new HfInferStrategy(model.models, model.tokenizers).openScoring(config);
  }

  private static double[] scores(RandomModel model, Path path, Dtype dtype, TokenBudgets budgets) {
    try (ScoringSession session = open(model, config(path, dtype, budgets))) {
      return session.score(SEQUENCES).join();
    }
  }

  /** w · h at the last token of each sequence. */
  private static double[] expected(RandomModel model) {
    return SEQUENCES.stream()
        .mapToDouble(
            tokens -> {
              double[] last = model.reference().hidden(tokens)[tokens.length - 1];
              return IntStream.range(0, HIDDEN).mapToDouble(i -> HEAD[i] * last[i]).sum();
            })
        .toArray();
  }

  private static double[] plus(double[] numbers, double more) {
    return Arrays.stream(numbers).map(number -> number + more).toArray();
  }

  @ParameterizedTest
  @CsvSource({"llama, F32", "llama, BF16", "qwen2, F32", "qwen2, F16", "mistral, F32"})
  void aScoreIsTheHeadOverTheLastHiddenState(String type, TensorFormat format) throws IOException {
    try (RandomModel model = model(type)) {
      double[] expected = expected(model);
      Path plain = headed(model, format, weight("score.weight"));
      assertArrayEquals(expected, scores(model, plain, Dtype.FP32, TokenBudgets.NONE), 2e-5);
      assertArrayEquals(expected, scores(model, plain, Dtype.BF16, TokenBudgets.NONE), 0.15);
      double square = Arrays.stream(expected).map(x -> x * x).sum();
      assertTrue(square > 4, "the head says nothing: " + Arrays.toString(expected));
      Path biased = headed(model, format, weight("score.weight"), bias("score.bias"));
      assertArrayEquals(
          plus(expected, BIAS), scores(model, biased, Dtype.FP32, TokenBudgets.NONE), 2e-5);
      Path renamed =
          headed(model, format, weight("v_head.summary.weight"), bias("v_head.summary.bias"));
      assertArrayEquals(
          plus(expected, BIAS), scores(model, renamed, Dtype.FP32, TokenBudgets.NONE), 2e-5);
    }
  }

  /** However the sequences are laid beside one another, and alone. */
  @Test
  void theCutIntoMicroBatchesDoesNotMatter() throws IOException {
    try (RandomModel model = model("llama")) {
      Path path = headed(model, TensorFormat.F32, weight("score.weight"));
      double[] expected = expected(model);
      for (TokenBudgets budgets :
          List.of(
              new TokenBudgets(0, 40),
              new TokenBudgets(256, 256, new SequencePacking(false, 1, 1), false),
              new TokenBudgets(64, 64, new SequencePacking(true, 1, 2), true))) {
        assertArrayEquals(expected, scores(model, path, Dtype.FP32, budgets), 2e-5);
      }
      try (ScoringSession session = open(model, config(path, Dtype.FP32, TokenBudgets.NONE))) {
        for (int i = 0; i < SEQUENCES.size(); i++) {
          double alone = session.score(List.of(SEQUENCES.get(i))).join()[0];
          assertEquals(expected[i], alone, 2e-5);
        }
        assertArrayEquals(new double[0], session.score(List.of()).join());
      }
    }
  }

  /** Weights that are read alone, and no cache. */
  @ParameterizedTest
  @EnumSource(Dtype.class)
  void holdsItsWeightsAlone(Dtype dtype) throws IOException {
    try (RandomModel model = model("qwen2")) {
      Path path = headed(model, TensorFormat.F32, weight("score.weight"));
      SessionConfig config = config(path, dtype, TokenBudgets.NONE);
      HfInferStrategy strategy = new HfInferStrategy(model.models, model.tokenizers);
      DecoderSpec spec = model.models.requireHead(config.worker());
      long weights = DecoderParameters.size(spec) * (dtype == Dtype.FP32 ? 4 : 2);
      for (SessionActivity activity : List.of(SessionActivity.SCORE, SessionActivity.REST)) {
        SessionMemory expected = strategy.expected(config, spec, activity).getFirst();
        assertEquals(weights, expected.bytes().get(MemoryKind.PARAMETERS));
        assertEquals(0, expected.bytes().getOrDefault(MemoryKind.KV_CACHE, 0L));
      }
      assertTrue(strategy.scoresByHead());
      try (ScoringSession session = strategy.openScoring(config)) {
        session.score(SEQUENCES).join();
        Map<MemoryKind, Long> held = session.peakMemory().getFirst().bytes();
        assertEquals(weights, held.get(MemoryKind.PARAMETERS));
        assertEquals(0, held.getOrDefault(MemoryKind.KV_CACHE, 0L));
      }
    }
  }

  @Test
  void whatCannotScoreIsRefusedInOneLine() throws IOException {
    try (RandomModel model = model("llama")) {
      Path headless = headed(model, TensorFormat.F32);
      assertRefused(
          () -> open(model, config(headless, Dtype.FP32, TokenBudgets.NONE)),
          "reward_models.rm: "
              + headless
              + " holds no value head (score.weight) to score by; without model_args.model_type it"
              + " is a generative model");
      Path two =
          headed(
              model,
              TensorFormat.F32,
              HeadTensors.tensor(
                  "score.weight", List.of(2L, (long) HIDDEN), new float[2 * HIDDEN]));
      assertRefused(
          () -> open(model, config(two, Dtype.FP32, TokenBudgets.NONE)),
          two.resolve(Safetensors.SINGLE)
              + ": tensor 'score.weight' has shape [2, 24], the model needs [1, 24]");
      Path path = headed(model, TensorFormat.F32, weight("score.weight"));
      assertRefused(
          () -> model.models.folder(path),
          path.resolve("config.json")
              + ": architectures name a value model, but a language model (…ForCausalLM) is needed;"
              + " only a critic and a model of reward_models with model_args.model_type:"
              + " auto_sequence_classification have a value head");
      try (ScoringSession session = open(model, config(path, Dtype.FP32, TokenBudgets.NONE))) {
        assertRefused(
            () -> session.score(List.of(new int[129])).join(),
            "text: has 129 tokens, allowed are 128 (max_position_embeddings of " + path + ")");
        assertRefused(
            () -> session.score(List.of(new int[] {160})).join(),
            "text: token 160 is outside the vocabulary of " + path + " (0 to 159)");
        assertThrows(
            IllegalArgumentException.class,
            () -> session.score(List.of(new int[] {1}, new int[0])));
      }
    }
  }

  /** A folder without weights is a random model only if configured. */
  @Test
  void aRandomHeadIsAskedFor() throws IOException {
    try (RandomModel model = model("llama")) {
      Path path = headed(model, TensorFormat.F32, weight("score.weight"));
      Files.delete(path.resolve(Safetensors.SINGLE));
      SessionConfig config = config(path, Dtype.FP32, TokenBudgets.NONE);
      String refusal = userError(() -> open(model, config));
      assertTrue(refusal.contains("holds no weights"), refusal);
      assertTrue(
          refusal.contains("give random_weights=true, or --random-weights to chat"), refusal);
      try (ScoringSession session =
          open(model, config(ModelConfig.of(path, Dtype.FP32), TokenBudgets.NONE))) {
        assertTrue(Arrays.stream(session.score(SEQUENCES).join()).anyMatch(x -> x != 0));
      }
    }
  }

  private static void assertRefused(Executable action, String message) {
    Throwable found = assertThrows(RuntimeException.class, action);
    Throwable cause = found instanceof CompletionException ? found.getCause() : found;
    assertTrue(cause instanceof UserException, () -> String.valueOf(cause));
    assertEquals(message, cause.getMessage());
  }
}
