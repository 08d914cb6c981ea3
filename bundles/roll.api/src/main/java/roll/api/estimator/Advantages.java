package roll.api.estimator;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result of an estimator, one number per token.
 *
 * @param advantages how much better each token did than expected
 * @param returns what a critic is trained toward
 * @param parts numbers of any count that metrics describe, by the name they have after {@code
 *     critic/}
 */
public record Advantages(double[] advantages, double[] returns, Map<String, double[]> parts) {
  /** Advantages and returns without further numbers. */
  public Advantages(double[] advantages, double[] returns) {
    this(advantages, returns, Map.of());
  }

  /** Advantages that are the returns as well, as without a critic: one array for both. */
  public static Advantages of(double[] advantages) {
    return new Advantages(advantages, advantages);
  }

  /**
   * These with numbers to be described as {@code critic/name/mean}, {@code max} and {@code min}.
   */
  public Advantages withPart(String name, double[] numbers) {
    Map<String, double[]> more = new LinkedHashMap<>(parts);
    more.put(name, numbers);
    return new Advantages(advantages, returns, more);
  }
}
