package roll.api.estimator;

/**
 * What an estimator gives, one cell a token.
 *
 * @param advantages how much better each token did than expected
 * @param returns what a critic is trained towards
 */
public record Advantages(double[] advantages, double[] returns) {}
