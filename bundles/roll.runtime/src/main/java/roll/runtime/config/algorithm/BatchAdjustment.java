package roll.runtime.config.algorithm;

/** Treatment of samples that do not fill the last optimizer batch ({@code batch_adjust_mode}). */
public enum BatchAdjustment {
  /** The last optimizer batch is smaller: copies that filled it would not count. */
  COPY,
  /** The surplus samples are dropped, chosen by seed. */
  DELETE,
  /** {@link #DELETE} where that is less than half of all samples, else {@link #COPY}. */
  AUTO,
  /** One optimizer batch, chosen by seed, is kept. */
  RANDOM_SAMPLE
}
