package roll.bench;

import java.util.List;

/**
 * The workload of a decoding measurement.
 *
 * @param prompt tokens of a prompt for decoding
 * @param prefill tokens of a prompt for prefill
 * @param prompts number of distinct prompts; larger batches have several responses per prompt
 * @param rounds number of prefill rounds
 * @param batches batch sizes, ascending
 * @param longest maximum tokens of a response
 * @param budget tokens of all responses of a measurement, with at least 8 each
 * @param warm maximum tokens of a warm-up response
 */
record DecodeWorkload(
    int prompt,
    int prefill,
    int prompts,
    int rounds,
    List<Integer> batches,
    int longest,
    int budget,
    int warm) {
  private static final int PREFILL = 224;
  private static final int MIN_TOKENS = 8;

  /** Returns the workload of a small model: distinct prompts of 64 tokens. */
  static DecodeWorkload small(BenchModel subject, boolean quick) {
    int positions = subject.spec().maxPositions();
    int prompt = Math.clamp(positions / 2, 1, 64);
    int tokens = Math.min(quick ? 32 : 128, positions - prompt - 1);
    int prefill = Math.min(PREFILL, positions - 2);
    return new DecodeWorkload(
        prompt, prefill, 128, 2, List.of(1, 8, 32, 128), tokens, Integer.MAX_VALUE, tokens);
  }

  /** Returns the workload of a large model: about 256 tokens of context, 32 distinct prompts. */
  static DecodeWorkload large(boolean quick) {
    return quick
        ? new DecodeWorkload(PREFILL, PREFILL, 8, 1, List.of(1, 8), 16, 64, MIN_TOKENS)
        : new DecodeWorkload(PREFILL, PREFILL, 32, 1, List.of(1, 8, 32, 128), 32, 512, MIN_TOKENS);
  }

  /** Returns the tokens of each response at {@code batch}. */
  int tokens(int batch) {
    return Math.min(longest, Math.max(MIN_TOKENS, budget / batch));
  }

  /** Returns the maximum tokens of a sequence. */
  int length() {
    return Math.max(prompt + longest + 1, prefill + 2);
  }
}
