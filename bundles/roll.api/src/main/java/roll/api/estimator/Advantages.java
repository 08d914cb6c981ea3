package roll.api.estimator;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result of an estimator, one number per token.
 *
 * @param advantages advantage of each token
 * @param returns training target of a critic
 * @param parts further numbers reported as metrics, by their name after {@code critic/}
 */
public record Advantages(double[] advantages, double[] returns, Map<String, double[]> parts) {
  /** Advantages and returns without further numbers. */
  public Advantages(double[] advantages, double[] returns) {
    this(advantages, returns, Map.of());
  }

  /** Advantages that are also the returns, as without a critic: one array for both. */
  public static Advantages of(double[] advantages) {
    return new Advantages(advantages, advantages);
  }

  /** Adds numbers reported as {@code critic/name/mean}, {@code max} and {@code min}. */
  public Advantages withPart(String name, double[] numbers) {
    Map<String, double[]> more = new LinkedHashMap<>(parts);
    more.put(name, numbers);
    return new Advantages(advantages, returns, more);
  }
}
