package roll.api.loss;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.estimator.KlPenalty;

/**
 * Settings of the policy loss.
 *
 * @param loss id of the loss
 * @param args {@code pg_variant_args}: options of that loss, checked against those it has
 * @param clipLow ratios below {@code 1 − clipLow} are clipped
 * @param clipHigh ratios above {@code 1 + clipHigh} are clipped
 * @param dualClip bound of the loss for negative advantages, or null
 * @param klCoefficient weight of the KL loss against the reference; 0 for none
 * @param klPenalty how that KL is estimated
 * @param entropyCoefficient weight of the entropy bonus; 0 for none
 * @param aggregation how token losses become one number
 * @param ratio over what the importance ratio is taken
 * @param correction for the difference of the engines that sample and train
 * @param norm what {@code seq-mean-token-sum-norm} divides by; null for the length of the longest
 *     sample, which rows that are written by hand are padded to
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

  /** These settings with other options of the loss. */
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
   * What {@code seq-mean-token-sum-norm} divides by, the same in every batch.
   *
   * @param divisor ROLL's is the length that its samples are padded to, verl's {@code
   *     loss_scale_factor}, TRL's the most tokens of a response
   * @param ofMean whether the mean over samples is divided, as in verl and TRL, or the sum over all
   *     of them, as in ROLL
   */
  public record Norm(double divisor, boolean ofMean) {}

  /** How token losses become one number ({@code loss_agg_mode}). */
  public enum Aggregation {
    /** Mean over all tokens. */
    TOKEN_MEAN,
    /** Sum over tokens, mean over samples. */
    SEQ_MEAN_TOKEN_SUM,
    /** Mean over tokens, mean over samples. */
    SEQ_MEAN_TOKEN_MEAN,
    /** Sum over tokens divided by a constant, see {@link Norm}. */
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
