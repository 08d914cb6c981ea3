package roll.strategy.vllm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import roll.api.model.DecoderSpec;
import roll.decoder.DecoderParameters;
import roll.huggingface.SafetensorsWriter;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;

/**
 * Random models of Qwen2's kind, whose linear layers pass on what they get 1.2 times as strong
 * whatever the width, as those of width 3584 do whose weights spread by 0.02.
 */
record RandomQwen2(
    int layers, int hidden, int intermediate, int heads, int keyValueHeads, int vocabulary) {
  private static final double GAIN = 1.2;

  /** Qwen2.5-7B. */
  static final RandomQwen2 SEVEN_BILLION = new RandomQwen2(28, 3584, 18944, 28, 4, 152_064);

  /**
   * Returns the expected root mean square error of bf16 log-probs relative to f32. The inputs and
   * results of products are rounded by up to 2⁻⁹ of themselves, some ten times a layer one behind
   * the other or side by side, which is some 2⁻⁷ of the residual stream; what layers add is
   * independent, so that it grows with the root of their number, and logits spread by GAIN. (Found:
   * 0.0114 for one layer of width 256 and 512, 0.054 and 0.061 for 28; exact logits, SwiGLU or
   * attention in f32 change nothing of it.)
   */
  double error() {
    return GAIN * 0x1p-7 * Math.sqrt(layers);
  }

  /** Makes {@code folder} a model without weights, with the tokenizer of the tiny one. */
  void describe(Path folder) throws IOException {
    for (String name : List.of("tokenizer.json", "tokenizer_config.json")) {
      Files.copy(Tiny.SHIPPED.resolve(name), folder.resolve(name));
    }
    Files.writeString(
        folder.resolve("config.json"),
        """
        {"model_type": "qwen2", "architectures": ["Qwen2ForCausalLM"], "hidden_act": "silu",
         "hidden_size": %d, "intermediate_size": %d, "num_hidden_layers": %d,
         "num_attention_heads": %d, "num_key_value_heads": %d, "vocab_size": %d,
         "max_position_embeddings": 32768, "rope_theta": 1000000.0, "rms_norm_eps": 1e-06,
         "initializer_range": %s, "tie_word_embeddings": false}
        """
            .formatted(
                hidden,
                intermediate,
                layers,
                heads,
                keyValueHeads,
                vocabulary,
                GAIN / Math.sqrt(hidden)));
  }

  /** Writes the weights of {@code spec}, bf16 in shards of 5 GB, without holding the model. */
  void write(Path folder, DecoderSpec spec) throws IOException {
    List<StoredTensor> tensors = new ArrayList<>();
    float range = (float) (GAIN * Math.sqrt(3.0 / hidden));
    for (DecoderSpec.Parameter parameter : DecoderParameters.of(spec)) {
      long key = (long) tensors.size() << 40;
      boolean norm = parameter.name().endsWith("norm.weight");
      tensors.add(
          StoredTensor.read(
              parameter.name(),
              TensorFormat.F32,
              parameter.shape().stream().map(Integer::longValue).toList(),
              (first, target) -> fill(key + first, norm ? 0 : range, norm ? 1 : 0, target)));
    }
    SafetensorsWriter.writeModel(folder, tensors, TensorFormat.BF16, SafetensorsWriter.SHARD_BYTES);
  }

  /** Numbers of {@code middle} ± {@code range}, evenly, each of its own key (splitmix64). */
  private static void fill(long key, float range, float middle, MemorySegment target) {
    long count = target.byteSize() / Float.BYTES;
    for (long i = 0; i < count; i++) {
      long z = (key + i) * 0x9E3779B97F4A7C15L;
      z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
      z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
      float number = (z >> 40) * 0x1p-23f;
      target.setAtIndex(ValueLayout.JAVA_FLOAT, i, middle + range * number);
    }
  }
}
