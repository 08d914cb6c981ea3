package roll.runtime.config.algorithm;

/**
 * Samples that are neither whitened nor trained on.
 *
 * @param maxLength whether those with a response that was cut at its limit ({@code max_len_mask})
 * @param difficulty whether those of groups whose mean score is not between the thresholds ({@code
 *     difficulty_mask})
 * @param low threshold that the mean must exceed ({@code difficulty_low_threshold})
 * @param high threshold that it must stay below ({@code difficulty_high_threshold})
 */
public record SampleMaskConfig(boolean maxLength, boolean difficulty, double low, double high) {
  /** All samples are trained on. */
  public static final SampleMaskConfig NONE = new SampleMaskConfig(false, false, 0, 1);

  /** Whether a sample may be left out. */
  public boolean any() {
    return maxLength || difficulty;
  }
}
