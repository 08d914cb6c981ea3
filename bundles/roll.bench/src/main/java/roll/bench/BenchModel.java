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
 * What is measured: a model and the micro-batch it is trained with.
 *
 * @param name for the tables
 * @param folder with its tokenizer, and its weights if it has any
 * @param spec its dimensions
 * @param samples of a micro-batch
 * @param length tokens of each sample
 * @param parts micro-batches of a step
 * @param lanes most micro-batches run at once
 */
record BenchModel(
    String name, Path folder, DecoderSpec spec, int samples, int length, int parts, int lanes) {
  /** config.json of a Qwen2 model of about 100 million weights. */
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
   * config.json of a Qwen2 model of 387 million weights, the shape that llama.cpp was measured
   * with: that of Qwen2.5-0.5B with a vocabulary of 32,000 and one matrix for embedding and head.
   */
  static Map<String, @Nullable Object> fourHundredMillion() {
    Map<String, @Nullable Object> config = halfBillion();
    config.put("vocab_size", 32_000);
    return config;
  }

  /** config.json of a Qwen2 model of the shape of Qwen2.5-0.5B. */
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

  /** This model with LoRA adapters of rank 16 beside every projection; they alone are trained. */
  BenchModel withAdapters() {
    Adapter everywhere =
        new Adapter(16, 32, false, 0, Set.copyOf(DecoderParameters.projections(spec)));
    return new BenchModel(
        name + " LoRA", folder, spec.with(everywhere), samples, length, parts, lanes);
  }

  /** Name of a row about this model in {@code dtype}. */
  String label(Dtype dtype) {
    return name + (dtype == Dtype.BF16 ? " bf16" : " f32");
  }

  /** Tokens of a micro-batch. */
  int tokens() {
    return samples * length;
  }

  /**
   * Weights of linear layers, the head among them: those every token is multiplied with. Without
   * adapters.
   */
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
   * Floating-point operations of a training step: 6 · weights · tokens (2 forward, 2 backward by
   * the inputs, 2 by the weights, which those beside adapters are spared), and 6 · layers · T² ·
   * width of the heads a sample (causal attention: half of all pairs).
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
