package roll.bench;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sizes of {@code bench card}.
 *
 * @param name of the model
 * @param config its config.json
 * @param sequences decoded at once
 * @param longest maximum tokens of prompts and of responses; the shortest have a tenth
 * @param samples of a micro-batch of training
 * @param length tokens of each
 */
record CardWorkload(
    String name,
    Map<String, @Nullable Object> config,
    int sequences,
    int longest,
    int samples,
    int length) {

  /**
   * Returns the sizes for a card: the shape of Qwen2.5-0.5B, the prompts and responses of
   * nano-vllm's bench.py, and micro-batches of 16,384 tokens. For a processor, and a smaller share
   * with {@code quick}, everything is about a hundred times smaller.
   */
  static CardWorkload of(boolean card, boolean quick) {
    if (card) {
      Map<String, @Nullable Object> config = BenchModel.halfBillion();
      return quick
          ? new CardWorkload("0.5B", config, 256, 256, 16, 1024)
          : new CardWorkload("0.5B", config, 256, 1024, 16, 1024);
    }
    Map<String, @Nullable Object> config = BenchModel.hundredMillion();
    config.put("vocab_size", 4000);
    config.put("hidden_size", 128);
    config.put("intermediate_size", 512);
    config.put("num_hidden_layers", 4);
    config.put("num_attention_heads", 8);
    config.put("num_key_value_heads", 2);
    return new CardWorkload("1M", config, quick ? 8 : 32, quick ? 40 : 100, 4, quick ? 64 : 256);
  }
}
