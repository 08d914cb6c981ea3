package roll.bench;

import java.util.List;

/**
 * What a model is asked for when it decodes.
 *
 * @param prompt tokens of a prompt that is decoded after
 * @param prefill tokens of a prompt that is only read
 * @param prompts how many different ones there are; a larger batch has several responses to each
 * @param rounds how often prompts are read
 * @param batches sequences at once, ascending
 * @param longest maximum tokens of a response
 * @param budget tokens of all responses of a measurement, as far as each has at least 8
 * @param warm maximum tokens of a response that is not measured
 */
record DecodeLoad(
    int prompt,
    int prefill,
    int prompts,
    int rounds,
    List<Integer> batches,
    int longest,
    int budget,
    int warm) {
  private static final int PREFILL = 224;
  private static final int LEAST = 8;

  /** For a model that answers in milliseconds: prompts of 64 tokens, all different. */
  static DecodeLoad small(BenchModel subject, boolean quick) {
    int positions = subject.spec().maxPositions();
    int prompt = Math.clamp(positions / 2, 1, 64);
    int tokens = Math.min(quick ? 32 : 128, positions - prompt - 1);
    int prefill = Math.min(PREFILL, positions - 2);
    return new DecodeLoad(
        prompt, prefill, 128, 2, List.of(1, 8, 32, 128), tokens, Integer.MAX_VALUE, tokens);
  }

  /** For a model that takes its time: a context of about 256 tokens, 32 different prompts. */
  static DecodeLoad large(boolean quick) {
    return quick
        ? new DecodeLoad(PREFILL, PREFILL, 8, 1, List.of(1, 8), 16, 64, LEAST)
        : new DecodeLoad(PREFILL, PREFILL, 32, 1, List.of(1, 8, 32, 128), 32, 512, LEAST);
  }

  /** Tokens of each response of {@code batch}. */
  int tokens(int batch) {
    return Math.min(longest, Math.max(LEAST, budget / batch));
  }

  /** Most tokens of a sequence. */
  int length() {
    return Math.max(prompt + longest + 1, prefill + 2);
  }
}
