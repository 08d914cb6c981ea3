package roll.math;

/**
 * A trained token with its inputs, and the outputs of a {@link TokenLoss}. One object is reused for
 * all tokens.
 */
public final class LossToken {
  final double[] extras;
  int cell;
  double advantage;
  double logProb;
  double logRatio;
  double ratio = 1;
  private double cachedLogRatio;
  double loss;
  double ratioSlope;
  double logProbSlope;
  boolean clipped;

  LossToken(int extras) {
    this.extras = new double[extras];
  }

  /**
   * Sets the ratio from its logarithm; returns false if it is clamped. Consecutive tokens with one
   * ratio compute it once.
   */
  boolean ratioOf(double logarithm) {
    if (logarithm != cachedLogRatio) {
      cachedLogRatio = logarithm;
      ratio = LogRatios.exponential(logarithm);
    }
    return Math.abs(logarithm) < LogRatios.MAX_LOG_RATIO;
  }

  /** Returns the loss token's index in the columns of the input. */
  public int cell() {
    return cell;
  }

  /** Returns the loss token's advantage {@code A}. */
  public double advantage() {
    return advantage;
  }

  /** Returns the loss token's log-prob {@code ℓ} under the current policy. */
  public double logProb() {
    return logProb;
  }

  /** Returns the loss token's log-ratio, log-prob minus old log-prob. */
  public double logRatio() {
    return logRatio;
  }

  /** Returns the importance ratio {@code ρ} of the token, its turn or its sample, within e^±20. */
  public double ratio() {
    return ratio;
  }

  /**
   * Sets the token's loss as a function of the ratio.
   *
   * @param value the loss
   * @param slope its derivative with respect to the logarithm of the ratio
   */
  public void byRatio(double value, double slope) {
    loss = value;
    ratioSlope = slope;
    logProbSlope = 0;
  }

  /**
   * Sets the token's loss as a function of its own log-prob, with a constant ratio.
   *
   * @param value the loss
   * @param slope its derivative with respect to the log-prob
   */
  public void byLogProb(double value, double slope) {
    loss = value;
    ratioSlope = 0;
    logProbSlope = slope;
  }

  /** Sets whether the token is clipped, for {@code actor/clipfrac}. */
  public void clipped(boolean acts) {
    clipped = acts;
  }

  /** Sets the token's value of the extra metric {@code index}. */
  public void extra(int index, double value) {
    extras[index] = value;
  }

  /** Sets the token's flag of the extra metric {@code index}, a fraction. */
  public void extra(int index, boolean value) {
    int one = value ? 1 : 0;
    extras[index] = one;
  }
}
