package roll.api.estimator;

/**
 * What an estimator gives, one cell a token.
 *
 * @param advantages how much better each token did than expected
 * @param returns what a critic is trained towards
 */
public record Advantages(double[] advantages, double[] returns) {
  /** Advantages that are the returns as well, as without a critic. */
  public static Advantages of(double[] advantages) {
    return new Advantages(advantages, advantages.clone());
  }
}
