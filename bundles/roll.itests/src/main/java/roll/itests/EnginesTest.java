package roll.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.ModelConfig;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.data.RandomStreams;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.Sampling;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TokenBatch;
import roll.runtime.option.YamlOptions;

/**
 * Continuous batching generates the tokens of batches by length, for every model family and order
 * of arrival, with any batch, chunk and block size, with and without the prefix cache and
 * preemption.
 */
@Tag("framework")
@Timeout(240)
class EnginesTest {
  /** A model family with fields of its config.json. */
  private record Shape(String name, String family, Map<String, Object> fields) {
    void write(Path folder) throws Exception {
      Map<String, Object> all = new HashMap<>(fields);
      all.put("hidden_size", 24);
      all.put("num_attention_heads", 4);
      all.put("rope_theta", 1000.0);
      RandomModelFolder.write(folder, family, all);
    }
  }

  private static final String KEY_HEADS = "num_key_value_heads";
  private static final String TIED = "tie_word_embeddings";
  private static final String BIAS = "attention_bias";

  private static final List<Shape> SHAPES =
      List.of(
          new Shape("grouped heads", "llama", Map.of(KEY_HEADS, 2, TIED, false)),
          new Shape(
              "biases", "llama", Map.of(KEY_HEADS, 1, BIAS, true, "mlp_bias", true, TIED, false)),
          new Shape("tied", "qwen2", Map.of(KEY_HEADS, 2, TIED, true)),
          new Shape("norms", "qwen3", Map.of(KEY_HEADS, 2, "head_dim", 16, TIED, true)),
          new Shape(
              "norms and biases",
              "qwen3",
              Map.of(KEY_HEADS, 4, "head_dim", 8, BIAS, true, TIED, false)),
          new Shape(
              "experts",
              "qwen3_moe",
              Map.of(
                  KEY_HEADS,
                  2,
                  "moe_intermediate_size",
                  16,
                  "num_experts",
                  12,
                  "num_experts_per_tok",
                  3,
                  "norm_topk_prob",
                  true,
                  TIED,
                  false)));

  private static final Map<String, Object> TIGHT =
      Map.of("num_gpu_blocks_override", 14, "block_size", 5);

  private static final List<Map<String, Object>> OPTIONS =
      List.of(
          Map.of("block_size", 1),
          Map.of("block_size", 5, "max_num_batched_tokens", 9),
          Map.of("block_size", 16),
          Map.of("enable_prefix_caching", false),
          Map.of("num_gpu_blocks_override", 14, "block_size", 5, "max_num_batched_tokens", 11),
          TIGHT);

  private final Path folder;

  EnginesTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** Returns requests of at most 60 tokens including responses, some with common prefixes. */
  private static List<GenerationRequest> requests() {
    RandomGenerator random = RandomStreams.of(4, "requests");
    List<GenerationRequest> requests = new ArrayList<>();
    int[] last = {1};
    for (int i = 0; i < 24; i++) {
      int kept = i % 4 == 0 ? 0 : Math.min(last.length, 10 * (i % 4));
      int[] prompt = Arrays.copyOf(last, i % 4 == 3 ? last.length : kept + 1 + random.nextInt(10));
      for (int j = kept; j < prompt.length; j++) {
        prompt[j] = random.nextInt(RandomModelFolder.VOCABULARY);
      }
      Sampling sampling = Sampling.of(1 + random.nextInt(20)).withTemperature(i % 2);
      requests.add(new GenerationRequest(prompt, sampling, List.of(), i));
      last = prompt;
    }
    return requests;
  }

  private InferSession open(String strategy, Path model, Dtype dtype, Map<String, Object> options)
      throws Exception {
    ModelConfig config = ModelConfig.of(model, dtype);
    WorkerConfig worker =
        new WorkerConfig(
            "actor_infer",
            config,
            "native",
            strategy,
            YamlOptions.strategy("actor_infer", options),
            TrainingConfig.NONE,
            List.of(),
            32);
    return SmallRuns.service(InferStrategy.class, "(roll.strategy=" + strategy + ")")
        .open(new SessionConfig(worker, 1, 1.0, 64));
  }

  @TestFactory
  Stream<DynamicTest> bothWriteTheSame() {
    return SHAPES.stream()
        .map(shape -> DynamicTest.dynamicTest(shape.name(), () -> compare(shape)));
  }

  private void compare(Shape shape) throws Exception {
    Path model = Files.createDirectory(folder.resolve(shape.name()));
    shape.write(model);
    List<GenerationRequest> requests = requests();
    try (InferSession waves = open("hf_infer", model, Dtype.FP32, Map.of())) {
      List<Generation> expected = waves.generate(requests).join();
      SameTokens same = new SameTokens(waves, RandomModelFolder.VOCABULARY);
      for (Map<String, Object> options : OPTIONS) {
        try (InferSession engine = open("vllm", model, Dtype.FP32, options)) {
          List<Generation> listed = engine.generate(requests).join();
          List<CompletableFuture<List<Generation>>> alone = new ArrayList<>();
          requests.forEach(request -> alone.add(engine.generate(List.of(request))));
          for (int i = 0; i < requests.size(); i++) {
            same.check(requests.get(i), expected.get(i), listed.get(i));
            same.check(requests.get(i), expected.get(i), alone.get(i).join().getFirst());
          }
          if (options.equals(TIGHT)) {
            double preempted = engine.metrics().getOrDefault("vllm/num_preemptions_max", 0.0);
            assertTrue(preempted > 0, "the pool was large enough");
          }
        }
      }
    }
    if (!shape.family().equals("qwen3_moe")) { // rounding may route a token to other experts
      stayNear(model, requests);
    }
  }

  /** Log-probs in bf16 are close to those of the same tokens in fp32. */
  private void stayNear(Path model, List<GenerationRequest> requests) throws Exception {
    try (InferSession exact = open("hf_infer", model, Dtype.FP32, Map.of());
        InferSession rounded = open("vllm", model, Dtype.BF16, TIGHT)) {
      List<Generation> written = rounded.generate(requests).join();
      for (int i = 0; i < requests.size(); i++) {
        int[] prompt = requests.get(i).prompt();
        int[] tokens = written.get(i).tokens();
        int[] all = Arrays.copyOf(prompt, prompt.length + tokens.length);
        System.arraycopy(tokens, 0, all, prompt.length, tokens.length);
        boolean[] scored = new boolean[all.length];
        Arrays.fill(scored, prompt.length, all.length, true);
        TokenBatch batch = new TokenBatch(new int[] {0, all.length}, all, scored);
        double[] scores = exact.score(batch).join().logProbs();
        assertArrayEquals(
            Arrays.copyOfRange(scores, prompt.length, all.length), written.get(i).logProbs(), 0.15);
      }
    }
  }
}
