package roll.math;

import java.util.Arrays;
import roll.api.data.Layout;
import roll.api.loss.LossDenominators;
import roll.api.loss.LossInput;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.LossSettings.Norm;

/**
 * The weight of each token's loss in the aggregated loss: aggregation is linear, so it is these
 * weights times the token losses, summed.
 */
public final class TokenWeights {
  private TokenWeights() {}

  /**
   * Returns the weights by token, 0 outside the mask (ROLL's and verl's {@code loss_agg_mode}).
   *
   * <ul>
   *   <li>token-mean: 1 / tokens
   *   <li>seq-mean-token-sum: 1 / samples
   *   <li>seq-mean-token-mean: 1 / (samples × tokens of the sample)
   *   <li>seq-mean-token-sum-norm: 1 / (T − 1), T the length of the longest sample, where the
   *       settings have no norm
   * </ul>
   *
   * @param whole counts of the optimizer batch these samples are part of
   */
  public static double[] of(Layout layout, Aggregation aggregation, LossDenominators whole) {
    return layout.spread(bySample(layout, aggregation, whole));
  }

  /** Returns the weights of {@code input} with its own settings. */
  public static double[] of(LossInput input) {
    return input.layout().spread(bySample(input));
  }

  /** Returns the common weight of a sample's trained tokens, by sample. */
  static double[] bySample(Layout layout, Aggregation aggregation, LossDenominators whole) {
    int[] trained = layout.countBySample();
    double[] weights = new double[trained.length];
    for (int i = 0; i < weights.length; i++) {
      weights[i] =
          switch (aggregation) {
            case TOKEN_MEAN -> 1.0 / Math.max(1, whole.tokens());
            case SEQ_MEAN_TOKEN_SUM -> 1.0 / Math.max(1, whole.samples());
            case SEQ_MEAN_TOKEN_MEAN ->
                1.0 / (Math.max(1, whole.samples()) * (double) Math.max(1, trained[i]));
            case SEQ_MEAN_TOKEN_SUM_NORM -> 1.0 / Math.max(1, whole.length());
          };
    }
    return weights;
  }

  /** Returns the weights of {@code input} with its own settings, by sample. */
  static double[] bySample(LossInput input) {
    return bySample(input, input.settings().aggregation());
  }

  /** Returns the weights of {@code input} with {@code aggregation}, by sample. */
  static double[] bySample(LossInput input, Aggregation aggregation) {
    Norm norm = input.settings().norm();
    if (norm == null || aggregation != Aggregation.SEQ_MEAN_TOKEN_SUM_NORM) {
      return bySample(input.layout(), aggregation, input.denominators());
    }
    double[] weights = new double[input.samples()];
    long samples = norm.ofMean() ? Math.max(1, input.denominators().samples()) : 1;
    Arrays.fill(weights, 1.0 / (norm.divisor() * samples));
    return weights;
  }
}
