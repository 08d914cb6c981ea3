package roll.bench;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sizes of {@code bench card}.
 *
 * @param name of the model
 * @param config its config.json
 * @param sequences decoded at once
 * @param shortest minimum tokens of prompts and of responses
 * @param longest maximum tokens of prompts and of responses
 * @param samples of a micro-batch of training
 * @param length tokens of each
 * @param adapters whether LoRA adapters are trained instead of all weights
 */
record CardWorkload(
    String name,
    Map<String, @Nullable Object> config,
    int sequences,
    int shortest,
    int longest,
    int samples,
    int length,
    boolean adapters) {

  /**
   * Returns the sizes for a card: the shape of Qwen2.5-0.5B, the prompts and responses of
   * nano-vllm's bench.py, and micro-batches of 16,384 tokens; with {@code large} the shape of
   * Qwen2.5-7B, 512 tokens each, and 8,192 with adapters. For a processor, and a smaller share with
   * {@code quick}, everything is about a hundred times smaller.
   */
  static CardWorkload of(boolean card, boolean quick, boolean large) {
    if (card && large) {
      int tokens = quick ? 128 : 512;
      return new CardWorkload("7B", BenchModel.sevenBillion(), 256, tokens, tokens, 8, 1024, true);
    }
    if (card) {
      int longest = quick ? 256 : 1024;
      return new CardWorkload(
          "0.5B", BenchModel.halfBillion(), 256, longest / 10, longest, 16, 1024, false);
    }
    Map<String, @Nullable Object> config = BenchModel.hundredMillion();
    config.put("vocab_size", 4000);
    config.put("hidden_size", 128);
    config.put("intermediate_size", 512);
    config.put("num_hidden_layers", 4);
    config.put("num_attention_heads", 8);
    config.put("num_key_value_heads", 2);
    int longest = quick ? 40 : 100;
    return new CardWorkload(
        "1M", config, quick ? 8 : 32, longest / 10, longest, 4, quick ? 64 : 256, large);
  }
}
