package roll.bench.llamacpp;

/**
 * A rate that one of llama.cpp's tools printed.
 *
 * @param format of the weights
 * @param work what was measured
 * @param batch sequences at once
 * @param test in llama-bench's notation: {@code tg32 @ d224} is 32 tokens after 224, {@code pp224}
 *     a prompt of 224 tokens; {@code 8 x pp224} are 8 of them at once
 * @param rate tokens per second
 * @param weights how many the model has; NaN where the file does not say
 */
public record LlamaFigure(
    LlamaFormat format, Work work, int batch, String test, double rate, double weights) {
  /** What is measured. */
  public enum Work {
    /** Prompts are read. */
    PREFILL,
    /** Tokens are generated; the prompt is not counted. */
    DECODING,
    /** A prompt is read and tokens are generated, all of them counted. */
    BOTH
  }
}
