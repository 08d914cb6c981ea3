package roll.math;

/**
 * One trained token: what is known of it, and what a {@link TokenLoss} says of it. The same object
 * serves token after token.
 */
public final class Token {
  final double[] extras;
  int cell;
  double advantage;
  double logProb;
  double drift;
  double ratio = 1;
  private double logRatio;
  double loss;
  double ratioSlope;
  double logProbSlope;
  boolean clipped;

  Token(int extras) {
    this.extras = new double[extras];
  }

  /**
   * Sets the ratio from its logarithm; false where it is held at a bound. Tokens that share a ratio
   * stand together, so that it is computed once.
   */
  boolean ratioOf(double logarithm) {
    if (logarithm != logRatio) {
      logRatio = logarithm;
      ratio = Ratios.exponential(logarithm);
    }
    return Math.abs(logarithm) < Ratios.MAX_LOG_RATIO;
  }

  /** Its cell in the columns of the input. */
  public int cell() {
    return cell;
  }

  /** Its advantage {@code A}. */
  public double advantage() {
    return advantage;
  }

  /** Its log-prob {@code ℓ} under the current policy. */
  public double logProb() {
    return logProb;
  }

  /** Log-prob minus old log-prob. */
  public double drift() {
    return drift;
  }

  /** The importance ratio {@code ρ}: its own, its turn's or its sample's; within e^±20. */
  public double ratio() {
    return ratio;
  }

  /**
   * Says the token's loss, where only the ratio moves it.
   *
   * @param value the loss
   * @param slope its derivative by the logarithm of the ratio
   */
  public void byRatio(double value, double slope) {
    loss = value;
    ratioSlope = slope;
    logProbSlope = 0;
  }

  /**
   * Says the token's loss, where only the token's own log-prob moves it: a ratio in it is constant.
   *
   * @param value the loss
   * @param slope its derivative by the log-prob
   */
  public void byLogProb(double value, double slope) {
    loss = value;
    ratioSlope = 0;
    logProbSlope = slope;
  }

  /** Says whether a clip acts on the token; counted in {@code actor/clipfrac}. */
  public void clipped(boolean acts) {
    clipped = acts;
  }

  /** Says the token's share of the extra mean number {@code index}. */
  public void extra(int index, double value) {
    extras[index] = value;
  }

  /** Says a yes or no for the extra mean number {@code index}, a fraction. */
  public void extra(int index, boolean value) {
    int one = value ? 1 : 0;
    extras[index] = one;
  }
}
