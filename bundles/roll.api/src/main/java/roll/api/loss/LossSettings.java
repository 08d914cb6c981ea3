package roll.api.loss;

import org.jspecify.annotations.Nullable;

/**
 * Settings of the policy loss.
 *
 * @param loss id of the loss
 * @param clipLow ratios below {@code 1 − clipLow} are clipped
 * @param clipHigh ratios above {@code 1 + clipHigh} are clipped
 * @param dualClip bound of the loss for negative advantages, or null
 * @param klCoefficient weight of the KL loss against the reference; 0 for none
 * @param entropyCoefficient weight of the entropy bonus; 0 for none
 * @param aggregation how token losses become one number
 * @param ratio over what the importance ratio is taken
 */
public record LossSettings(
    String loss,
    double clipLow,
    double clipHigh,
    @Nullable Double dualClip,
    double klCoefficient,
    double entropyCoefficient,
    Aggregation aggregation,
    RatioType ratio) {
  /** How token losses become one number ({@code loss_agg_mode}). */
  public enum Aggregation {
    /** Mean over all tokens. */
    TOKEN_MEAN,
    /** Sum over tokens, mean over samples. */
    SEQ_MEAN_TOKEN_SUM,
    /** Mean over tokens, mean over samples. */
    SEQ_MEAN_TOKEN_MEAN,
    /** Sum over all tokens divided by the length of the longest sample. */
    SEQ_MEAN_TOKEN_SUM_NORM
  }

  /** Over what the importance ratio is taken ({@code ratio_type}). */
  public enum RatioType {
    /** Each token has its own. */
    TOKEN,
    /** One for all tokens of a turn, the geometric mean. */
    SEGMENT
  }
}
