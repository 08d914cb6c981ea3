package roll.api.strategy;

/**
 * How tokens are drawn.
 *
 * @param temperature 0 takes the likeliest token
 * @param topP nucleus: the likeliest tokens whose probabilities reach this sum; 1 keeps all
 * @param topK how many of the likeliest tokens are kept; 0 keeps all
 * @param maxNewTokens most tokens of a response
 */
public record Sampling(double temperature, double topP, int topK, int maxNewTokens) {
  /** These settings with another limit. */
  public Sampling withMaxNewTokens(int limit) {
    return new Sampling(temperature, topP, topK, limit);
  }
}
