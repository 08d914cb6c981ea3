package roll.math;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.data.Layout;
import roll.api.loss.LossDenominators;
import roll.api.loss.LossSettings.Aggregation;

/**
 * The loss of a critic, with the clip of PPO2 (Dhariwal et al. 2017) as ROLL and verl have it:
 *
 * <pre>
 *   S = (v − G)²                                       with a clip: the larger of it and
 *       (clip(v, v_old − clip, v_old + clip) − G)²
 *   loss = ½ Σ w S
 * </pre>
 *
 * with the weights {@code w} of {@link TokenWeights}. Returns {@code G} and {@code v_old} are
 * constants. ROLL's mean over samples of their means is {@link Aggregation#SEQ_MEAN_TOKEN_MEAN};
 * verl's default is {@link Aggregation#TOKEN_MEAN}.
 *
 * @param aggregation of token losses
 * @param clip maximum change of a value before its gradient is clipped, or null for no clip
 */
public record ValueLoss(Aggregation aggregation, @Nullable Double clip) {
  /**
   * The inputs of the value loss. Tokens outside the mask are not read.
   *
   * @param layout of the tokens; those in its mask are trained on
   * @param values values under the current critic
   * @param oldValues values before this step's updates
   * @param returns regression targets
   * @param denominators of the whole optimizer batch these samples are part of
   */
  public record Input(
      Layout layout,
      double[] values,
      double[] oldValues,
      double[] returns,
      LossDenominators denominators) {}

  /**
   * The value loss with its gradient.
   *
   * @param loss this part's share of the loss
   * @param gradient derivative of the loss with respect to each value; 0 outside the mask
   * @param metrics this part's share of each metric; shares of all parts are added up
   */
  public record Result(double loss, double[] gradient, Map<String, Double> metrics) {}

  /**
   * Evaluates the samples in {@code in}; the sum over all micro-batches of an optimizer batch is
   * the loss of the whole batch.
   *
   * <p>Metrics have ROLL's names: {@code critic/loss}; {@code critic/value} and {@code
   * critic/vpred}, the old and the current values; {@code critic/error}, the squared error without
   * clip; {@code critic/clipfrac}, where the clip raises the loss. All but the first are means,
   * over tokens with {@link Aggregation#TOKEN_MEAN} and otherwise over samples of their means.
   */
  public Result evaluate(Input in) {
    Layout layout = in.layout();
    double[] weights = TokenWeights.of(layout, aggregation, in.denominators());
    double[] means =
        aggregation == Aggregation.TOKEN_MEAN
            ? weights
            : TokenWeights.of(layout, Aggregation.SEQ_MEAN_TOKEN_MEAN, in.denominators());
    double[] gradient = new double[layout.size()];
    double[] sums = new double[5];
    for (int i = 0; i < layout.samples(); i++) {
      // first within each sample, so that micro-batches of one sample add up to the whole bit for
      // bit
      double[] sample = new double[sums.length];
      for (int t : layout.policyTokens(i)) {
        double value = in.values()[t];
        double error = value - in.returns()[t];
        double clipped = clipped(value, in.oldValues()[t]) - in.returns()[t];
        boolean clipActs = clipped * clipped > error * error;
        gradient[t] = clipActs ? 0 : weights[t] * error;
        sample[0] += weights[t] * Math.max(error * error, clipped * clipped) / 2;
        sample[1] += means[t] * in.oldValues()[t];
        sample[2] += means[t] * value;
        sample[3] += means[t] * error * error;
        sample[4] += clipActs ? means[t] : 0;
      }
      for (int k = 0; k < sums.length; k++) {
        sums[k] += sample[k];
      }
    }
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("critic/loss", sums[0]);
    metrics.put("critic/value", sums[1]);
    metrics.put("critic/vpred", sums[2]);
    metrics.put("critic/error", sums[3]);
    metrics.put("critic/clipfrac", sums[4]);
    return new Result(sums[0], gradient, metrics);
  }

  private double clipped(double value, double old) {
    return clip == null ? value : Math.clamp(value, old - clip, old + clip);
  }
}
