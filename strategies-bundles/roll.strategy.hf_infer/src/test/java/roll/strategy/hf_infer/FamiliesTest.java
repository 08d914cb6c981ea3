package roll.strategy.hf_infer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;
import roll.huggingface.ModelFolder;
import roll.huggingface.TensorFormat;
import roll.torch.Precision;
import roll.torch.model.Decoder;
import roll.torch.model.Parameters;
import roll.torch.model.Scorer;

/** Every family and every flag of its config.json against a forward pass in double precision. */
final class FamiliesTest {
  private static final String PLAIN =
      """
      {"model_type": "llama", "hidden_size": 24, "num_attention_heads": 4,
       "num_key_value_heads": 2, "rope_theta": 500.0, "tie_word_embeddings": false}
      """;

  /** More experts than there are tokens for, so that some have none. */
  private static final String EXPERTS =
      """
      {"model_type": "qwen3_moe", "hidden_size": 24, "num_attention_heads": 4,
       "num_key_value_heads": 2, "head_dim": 16, "rope_theta": 1000.0,
       "moe_intermediate_size": 20, "num_experts": 40, "num_experts_per_tok": 3,
       "norm_topk_prob": true, "tie_word_embeddings": false}
      """;

  private final Path folder;

  FamiliesTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** Every family, and every flag. */
  static List<String> configs() {
    return List.of(
        PLAIN,
        """
        {"model_type": "llama", "hidden_size": 24, "num_attention_heads": 4,
         "num_key_value_heads": 4, "head_dim": 10, "rope_theta": 500.0,
         "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
           "high_freq_factor": 4.0, "original_max_position_embeddings": 100},
         "tie_word_embeddings": true}
        """,
        """
        {"model_type": "llama", "hidden_size": 24, "num_attention_heads": 4,
         "num_key_value_heads": 1, "attention_bias": true, "mlp_bias": true,
         "rope_parameters": {"rope_type": "linear", "factor": 4.0, "rope_theta": 1000.0},
         "tie_word_embeddings": false}
        """,
        """
        {"model_type": "mistral", "hidden_size": 24, "num_attention_heads": 4,
         "num_key_value_heads": 2, "head_dim": 8, "rope_theta": 1000.0, "sliding_window": 64,
         "tie_word_embeddings": false}
        """,
        """
        {"model_type": "qwen2", "hidden_size": 64, "num_attention_heads": 4,
         "num_key_value_heads": 2, "rope_theta": 20.0, "tie_word_embeddings": true,
         "rope_scaling": {"rope_type": "yarn", "factor": 4.0,
           "original_max_position_embeddings": 40}}
        """,
        """
        {"model_type": "qwen2", "hidden_size": 24, "num_attention_heads": 4,
         "num_key_value_heads": 2, "rope_theta": 1000.0, "tie_word_embeddings": true,
         "use_sliding_window": false, "sliding_window": 8}
        """,
        """
        {"model_type": "qwen3", "hidden_size": 24, "num_attention_heads": 4,
         "num_key_value_heads": 2, "head_dim": 16, "rope_theta": 1000.0,
         "tie_word_embeddings": true, "layer_types":
         ["full_attention", "full_attention", "full_attention"]}
        """,
        """
        {"model_type": "qwen3", "hidden_size": 16, "num_attention_heads": 2,
         "num_key_value_heads": 2, "head_dim": 8, "attention_bias": true,
         "rope_parameters": {"rope_type": "default", "rope_theta": 100.0},
         "tie_word_embeddings": false}
        """,
        EXPERTS,
        """
        {"model_type": "qwen3_moe", "hidden_size": 24, "num_attention_heads": 4,
         "num_key_value_heads": 4, "rope_theta": 100.0, "moe_intermediate_size": 16,
         "num_experts": 5, "num_experts_per_tok": 2, "norm_topk_prob": false,
         "attention_bias": true, "tie_word_embeddings": true}
        """,
        """
        {"model_type": "qwen3_moe", "hidden_size": 16, "num_attention_heads": 2,
         "num_key_value_heads": 1, "rope_theta": 100.0, "moe_intermediate_size": 16,
         "num_experts": 2, "num_experts_per_tok": 2, "tie_word_embeddings": false}
        """,
        """
        {"model_type": "gemma", "hidden_size": 24, "num_attention_heads": 4,
         "num_key_value_heads": 1, "head_dim": 8, "rope_theta": 1000.0,
         "hidden_act": "gelu_pytorch_tanh", "tie_word_embeddings": true}
        """,
        """
        {"model_type": "seed_oss", "hidden_size": 24, "num_attention_heads": 4,
         "num_key_value_heads": 2, "head_dim": 10, "rope_theta": 1000.0,
         "rope_scaling": {"rope_type": "default"}, "attention_dropout": 0.0,
         "residual_dropout": 0.0, "tie_word_embeddings": false}
        """,
        """
        {"model_type": "seed_oss", "hidden_size": 24, "num_attention_heads": 4,
         "num_key_value_heads": 1, "head_dim": 8, "rope_theta": 1000.0,
         "attention_bias": false, "attention_out_bias": true, "mlp_bias": true,
         "attention_dropout": 0, "residual_dropout": 0, "tie_word_embeddings": true}
        """);
  }

  @ParameterizedTest
  @MethodSource("configs")
  void logitsScoresAndCachedDecodingAreThoseOfTheFormulas(String config) throws IOException {
    try (RandomModel model = new RandomModel(folder, config)) {
      double[][] expected = model.reference().logits(Sessions.TOKENS);
      float[][] logits = logits(model);
      for (int t = 0; t < Sessions.TOKENS.length; t++) {
        for (int i = 0; i < expected[t].length; i++) {
          assertEquals(expected[t][i], logits[t][i], 1e-4);
        }
      }
      try (InferSession session = Sessions.session(model, Dtype.FP32)) {
        Sessions.assertScored(expected, session);
        Sessions.assertGenerated(model, session);
      }
    }
  }

  private static float[][] logits(RandomModel model) {
    ModelFolder folder = model.models.folder(model.folder);
    return model.device.call(
        () -> {
          try (NDManager manager = model.device.newManager();
              Parameters parameters = model.models.read(model.device, folder, 0);
              Decoder decoder =
                  new Decoder(model.device, folder.spec(), Precision.of(Dtype.FP32), 64)) {
            long[] ids = Arrays.stream(Sessions.TOKENS).asLongStream().toArray();
            NDArray tokens = manager.create(ids, new Shape(1, ids.length));
            NDArray rows = manager.create(LongStream.range(0, ids.length).toArray());
            NDArray hidden = decoder.hidden(manager, parameters, tokens, rows);
            int head = parameters.tensors().size() - 1;
            boolean tied = model.config.get("tie_word_embeddings").getAsBoolean();
            NDArray weight = parameters.tensors().get(tied ? 0 : head);
            float[] flat =
                decoder
                    .kernels()
                    .call(manager, "logits", hidden, weight)
                    .singletonOrThrow()
                    .toFloatArray();
            int width = RandomModel.VOCABULARY;
            return IntStream.range(0, Sessions.TOKENS.length)
                .mapToObj(t -> Arrays.copyOfRange(flat, t * width, (t + 1) * width))
                .toArray(float[][]::new);
          }
        });
  }

  /** The layers of a language model under a new value head, in either type. */
  @ParameterizedTest
  @MethodSource("configs")
  void valuesAreThoseOfTheFormulas(String config) throws IOException {
    try (RandomModel model = new RandomModel(folder, config)) {
      double[][] hidden = model.reference().hidden(Sessions.TOKENS);
      float[] weight = new float[hidden[0].length];
      double[] values = values(model, Dtype.FP32, weight);
      double[] rounded = values(model, Dtype.BF16, weight);
      // a rounding may send a token to other experts
      double bound = model.config.has("num_experts") ? 0.2 : 0.02;
      assertEquals(0, values[0]);
      double square = 0;
      for (int t = 1; t < Sessions.TOKENS.length; t++) {
        double expected = 0.5;
        for (int i = 0; i < weight.length; i++) {
          expected += weight[i] * hidden[t - 1][i];
        }
        assertEquals(expected, values[t], 1e-5);
        assertEquals(expected, rounded[t], bound);
        square += (expected - 0.5) * (expected - 0.5);
      }
      assertTrue(square > 0.05, "the head says nothing");
    }
  }

  /** Values of all tokens but the first, with a bias of 0.5; {@code weight} is filled. */
  private static double[] values(RandomModel model, Dtype dtype, float[] weight) {
    ModelFolder folder = model.models.valueFolder(model.folder);
    return model.device.call(
        () -> {
          try (Parameters parameters = model.models.read(model.device, folder, 5);
              Decoder decoder = new Decoder(model.device, folder.spec(), Precision.of(dtype), 64)) {
            int bias = parameters.tensors().size() - 1;
            parameters.memory(bias).setAtIndex(ValueLayout.JAVA_FLOAT, 0, 0.5f);
            float[] found = parameters.memory(bias - 1).toArray(ValueLayout.JAVA_FLOAT);
            System.arraycopy(found, 0, weight, 0, weight.length);
            return new Scorer(model.device, decoder, 100).values(parameters, Sessions.batch());
          }
        });
  }

  /** Also where inference in bf16 uses bf16 files as they are. */
  @ParameterizedTest
  @EnumSource(Dtype.class)
  void everyWayOfStoringLoadsToTheSameModel(Dtype dtype) throws IOException {
    try (RandomModel model = new RandomModel(folder, PLAIN)) {
      double[] expected = scores(model, dtype);
      for (TensorFormat format : List.of(TensorFormat.BF16, TensorFormat.F16, TensorFormat.F32)) {
        for (long shardBytes : new long[] {5_000_000_000L, 8000}) {
          model.write(folder, format, shardBytes);
          assertArrayEquals(expected, scores(model, dtype), format + " by " + shardBytes);
        }
      }
    }
  }

  /** The model's weights lose nothing in bf16. */
  @ParameterizedTest
  @CsvSource({"FP32, FP32", "FP32, BF16", "BF16, FP32", "BF16, BF16"})
  void sharedWeightsMayBeOfEitherDtype(Dtype dtype, Dtype shared) throws IOException {
    try (RandomModel model = new RandomModel(folder, PLAIN);
        InferSession session = Sessions.session(model, dtype)) {
      GenerationRequest request =
          new GenerationRequest(Sessions.TOKENS, Sampling.of(9), List.of(), 1);
      double[] scores = Sessions.score(session).logProbs();
      Generation drawn = session.generate(List.of(request)).join().getFirst();
      Parameters parameters = model.device.call(() -> weights(model, shared));
      assertEquals(shared, parameters.dtype());
      session.update(parameters).join();
      assertArrayEquals(scores, Sessions.score(session).logProbs());
      Generation again = session.generate(List.of(request)).join().getFirst();
      assertArrayEquals(drawn.tokens(), again.tokens());
      assertArrayEquals(drawn.logProbs(), again.logProbs());
      model.device.call(
          () -> {
            parameters.close();
            return true;
          });
    }
  }

  private static Parameters weights(RandomModel model, Dtype dtype) {
    Parameters parameters = model.models.read(model.device, model.models.folder(model.folder), 0);
    if (dtype == Dtype.BF16) {
      parameters.narrow(model.device);
    }
    return parameters;
  }

  /** Queries and keys are normed in f32 also where linear layers are rounded. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        PLAIN,
        """
        {"model_type": "qwen3", "hidden_size": 24, "num_attention_heads": 4,
         "num_key_value_heads": 2, "head_dim": 16, "attention_bias": true, "rope_theta": 1000.0,
         "tie_word_embeddings": true}
        """
      })
  void bf16StaysNear(String config) throws IOException {
    try (RandomModel model = new RandomModel(folder, config);
        InferSession session = Sessions.session(model, Dtype.BF16)) {
      double[] exact = scores(model, Dtype.FP32);
      double[] rounded = Sessions.score(session).logProbs();
      for (int t = 1; t < Sessions.TOKENS.length; t++) {
        assertEquals(exact[t], rounded[t], 0.15);
      }
    }
  }

  private static double[] scores(RandomModel model, Dtype dtype) {
    try (InferSession session = Sessions.session(model, dtype)) {
      return Sessions.score(session).logProbs();
    }
  }
}
