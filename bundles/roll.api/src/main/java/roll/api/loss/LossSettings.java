package roll.api.loss;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.estimator.KlPenalty;

/**
 * Settings of the policy loss.
 *
 * @param loss id of the loss
 * @param args {@code pg_variant_args}: options of that loss, already checked
 * @param clipLow ratios below {@code 1 − clipLow} are clipped
 * @param clipHigh ratios above {@code 1 + clipHigh} are clipped
 * @param dualClip loss bound for negative advantages, or null
 * @param klCoefficient weight of the KL loss against the reference; 0 for none
 * @param klPenalty how that KL is estimated
 * @param entropyCoefficient weight of the entropy bonus; 0 for none
 * @param aggregation how token losses become one number
 * @param ratio level of the importance ratio
 * @param correction correction of the train-inference mismatch
 * @param norm divisor of {@code seq-mean-token-sum-norm}; null for the length of the longest sample
 */
public record LossSettings(
    String loss,
    Map<String, Object> args,
    double clipLow,
    double clipHigh,
    @Nullable Double dualClip,
    double klCoefficient,
    KlPenalty klPenalty,
    double entropyCoefficient,
    Aggregation aggregation,
    RatioType ratio,
    TrainInferCorrection correction,
    @Nullable Norm norm) {
  /** Settings of a loss with its default options, a k3 KL loss and no correction, as in ROLL. */
  public LossSettings(
      String loss,
      double clipLow,
      double clipHigh,
      @Nullable Double dualClip,
      double klCoefficient,
      double entropyCoefficient,
      Aggregation aggregation,
      RatioType ratio) {
    this(
        loss,
        Map.of(),
        clipLow,
        clipHigh,
        dualClip,
        klCoefficient,
        KlPenalty.K3,
        entropyCoefficient,
        aggregation,
        ratio,
        TrainInferCorrection.NONE,
        null);
  }

  /** Returns these settings with other options of the loss. */
  public LossSettings withArgs(Map<String, Object> others) {
    return new LossSettings(
        loss,
        others,
        clipLow,
        clipHigh,
        dualClip,
        klCoefficient,
        klPenalty,
        entropyCoefficient,
        aggregation,
        ratio,
        correction,
        norm);
  }

  /**
   * Constant divisor of {@code seq-mean-token-sum-norm}.
   *
   * @param divisor ROLL's padded sample length, verl's {@code loss_scale_factor}, TRL's maximum
   *     completion length
   * @param ofMean whether the mean over samples is divided, as in verl and TRL, or their sum, as in
   *     ROLL
   */
  public record Norm(double divisor, boolean ofMean) {}

  /** Aggregation of token losses ({@code loss_agg_mode}). */
  public enum Aggregation {
    /** Loss settings aggregation: mean over all tokens. */
    TOKEN_MEAN,
    /** Loss settings aggregation: sum over tokens, mean over samples. */
    SEQ_MEAN_TOKEN_SUM,
    /** Loss settings aggregation: mean over tokens, mean over samples. */
    SEQ_MEAN_TOKEN_MEAN,
    /** Sum over tokens divided by a constant, see {@link Norm}. */
    SEQ_MEAN_TOKEN_SUM_NORM
  }

  /** Level of the importance ratio ({@code ratio_type}). */
  public enum RatioType {
    /** Ratio type: one ratio per token. */
    TOKEN,
    /** One policy ratio per turn: the geometric mean over the turn's tokens. */
    SEGMENT
  }
}
