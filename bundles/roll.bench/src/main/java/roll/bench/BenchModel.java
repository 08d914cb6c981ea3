package roll.bench;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.decoder.DecoderParameters;

/**
 * A benchmarked model with its micro-batch.
 *
 * @param name for the tables
 * @param folder with the tokenizer, and weights if any
 * @param spec dimensions
 * @param samples per micro-batch
 * @param length tokens per sample
 * @param parts micro-batches per step
 * @param lanes maximum parallel micro-batches
 */
record BenchModel(
    String name, Path folder, DecoderSpec spec, int samples, int length, int parts, int lanes) {
  /** Returns the config.json of a Qwen2 model with about 100 million weights. */
  static Map<String, @Nullable Object> hundredMillion() {
    Map<String, @Nullable Object> config = new LinkedHashMap<>();
    config.put("model_type", "qwen2");
    config.put("vocab_size", 32_000);
    config.put("hidden_size", 768);
    config.put("intermediate_size", 2048);
    config.put("num_hidden_layers", 12);
    config.put("num_attention_heads", 12);
    config.put("num_key_value_heads", 12);
    config.put("max_position_embeddings", 1024);
    config.put("rms_norm_eps", 1e-6);
    config.put("rope_theta", 10_000.0);
    config.put("initializer_range", 0.02);
    config.put("hidden_act", "silu");
    config.put("tie_word_embeddings", true);
    return config;
  }

  /**
   * Returns the config.json of a Qwen2 model with 387 million weights, the shape measured with
   * llama.cpp: Qwen2.5-0.5B with a vocabulary of 32,000 and tied embeddings.
   */
  static Map<String, @Nullable Object> fourHundredMillion() {
    Map<String, @Nullable Object> config = halfBillion();
    config.put("vocab_size", 32_000);
    return config;
  }

  /** Returns the config.json of a Qwen2 model with the shape of Qwen2.5-0.5B. */
  static Map<String, @Nullable Object> halfBillion() {
    Map<String, @Nullable Object> config = hundredMillion();
    config.put("vocab_size", 151_936);
    config.put("hidden_size", 896);
    config.put("intermediate_size", 4864);
    config.put("num_hidden_layers", 24);
    config.put("num_attention_heads", 14);
    config.put("num_key_value_heads", 2);
    config.put("max_position_embeddings", 32_768);
    config.put("rope_theta", 1_000_000.0);
    return config;
  }

  /** Returns the config.json of a Qwen2 model with the shape of Qwen2.5-7B. */
  static Map<String, @Nullable Object> sevenBillion() {
    Map<String, @Nullable Object> config = halfBillion();
    config.put("vocab_size", 152_064);
    config.put("hidden_size", 3584);
    config.put("intermediate_size", 18_944);
    config.put("num_hidden_layers", 28);
    config.put("num_attention_heads", 28);
    config.put("num_key_value_heads", 4);
    config.put("tie_word_embeddings", false);
    return config;
  }

  /** Returns the model with trained LoRA adapters of rank 16 on every projection. */
  BenchModel withAdapters() {
    Adapter everywhere =
        new Adapter(16, 32, false, 0, Set.copyOf(DecoderParameters.projections(spec)));
    return new BenchModel(
        name + " LoRA", folder, spec.with(everywhere), samples, length, parts, lanes);
  }

  /** Returns the row label of this model in {@code dtype}. */
  String label(Dtype dtype) {
    return name + (dtype == Dtype.BF16 ? " bf16" : " f32");
  }

  /** Returns the tokens per micro-batch. */
  int tokens() {
    return samples * length;
  }

  /** Returns the number of weights of linear layers and the head, without adapters. */
  long multiplied() {
    long matrices = matrices(spec.with(null));
    long embedding = DecoderParameters.of(spec).getFirst().size();
    return spec.has(Trait.TIED_HEAD) ? matrices : matrices - embedding;
  }

  private static long matrices(DecoderSpec spec) {
    return DecoderParameters.of(spec).stream()
        .filter(p -> p.shape().size() == 2)
        .mapToLong(DecoderSpec.Parameter::size)
        .sum();
  }

  /**
   * Returns the FLOPs of a training step: 6 · weights · tokens (2 forward, 2 for input gradients, 2
   * for weight gradients, which frozen weights lack), and 6 · layers · T² · width of the heads per
   * sample (causal attention: half of all pairs).
   */
  double trainingFlops() {
    double attention = 6.0 * spec.layers() * length * (double) length * spec.attention().queries();
    long adapters = matrices(spec) - matrices(spec.with(null));
    double trained = adapters > 0 ? 4.0 * multiplied() + 6.0 * adapters : 6.0 * multiplied();
    return parts * (trained * tokens() + samples * attention);
  }

  @Override
  public String toString() {
    return "%s (%s weights, %d layers, width %d, vocabulary %d)"
        .formatted(
            name,
            "%.3g M".formatted(DecoderParameters.size(spec) / 1e6),
            spec.layers(),
            spec.hidden(),
            spec.vocabulary());
  }
}
