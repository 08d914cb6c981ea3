package roll.api.loss;

/**
 * The weight of each token's loss in the aggregated loss: aggregation is linear, so it is these
 * weights times the token losses, summed.
 */
public final class TokenWeights {
  private TokenWeights() {}

  /**
   * Weights by cell, 0 outside the mask (ROLL's and verl's {@code loss_agg_mode}).
   *
   * <ul>
   *   <li>token-mean: 1 / tokens
   *   <li>seq-mean-token-sum: 1 / samples
   *   <li>seq-mean-token-mean: 1 / (samples × tokens of the sample)
   *   <li>seq-mean-token-sum-norm: 1 / (T − 1)
   * </ul>
   */
  public static double[] of(LossInput input) {
    boolean[] mask = input.mask();
    int[] offsets = input.offsets();
    Denominators whole = input.denominators();
    double[] weights = new double[mask.length];
    for (int i = 0; i < input.samples(); i++) {
      double weight =
          switch (input.settings().aggregation()) {
            case TOKEN_MEAN -> 1.0 / Math.max(1, whole.tokens());
            case SEQ_MEAN_TOKEN_SUM -> 1.0 / Math.max(1, whole.samples());
            case SEQ_MEAN_TOKEN_MEAN ->
                1.0 / (Math.max(1, whole.samples()) * (double) Math.max(1, trained(input, i)));
            case SEQ_MEAN_TOKEN_SUM_NORM -> 1.0 / Math.max(1, whole.length());
          };
      for (int t = offsets[i]; t < offsets[i + 1]; t++) {
        weights[t] = mask[t] ? weight : 0;
      }
    }
    return weights;
  }

  private static int trained(LossInput input, int sample) {
    int count = 0;
    for (int t = input.offsets()[sample]; t < input.offsets()[sample + 1]; t++) {
      count += input.mask()[t] ? 1 : 0;
    }
    return count;
  }
}
