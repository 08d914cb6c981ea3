package roll.math;

import roll.api.loss.LossInput;
import roll.api.loss.LossSettings;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.LossSettings.RatioType;

/**
 * A small batch on which losses can be compared: a good sample of three tokens and a bad one of
 * four, the old log-probs −1 and −2 everywhere. verl's losses have known values on it.
 */
public final class LossExample {
  private static final double[][] LOG_PROBS = {{-1, -.7, -1.5, -.9}, {-.3, -2.5, -1.9, -2}};
  private static final double[][] OLD = {{-1, -1, -1, -1}, {-2, -2, -2, -2}};
  private static final double[][] ADVANTAGES = {{1, 1, 1, 1}, {-1, -1, -1, -1}};
  private static final int[][] MASK = {{1, 1, 1, 0}, {1, 1, 1, 1}};

  private LossExample() {}

  /** The batch; entropies are 0 and there is no reference. */
  public static LossInput of(LossSettings settings) {
    return LossRows.of(LOG_PROBS, OLD, MASK, ADVANTAGES, settings);
  }

  /**
   * Clips of 0.2, the mean over tokens, neither KL loss nor entropy bonus, and the standard options
   * of {@code loss}.
   */
  public static LossSettings settings(String loss) {
    return new LossSettings(loss, 0.2, 0.2, null, 0, 0, Aggregation.TOKEN_MEAN, RatioType.TOKEN);
  }
}
