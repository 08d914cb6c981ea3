package roll.api.strategy;

import org.osgi.annotation.versioning.ConsumerType;

/** The loss of a part of an optimizer batch, as a function of a value model's values. */
@ConsumerType
@FunctionalInterface
public interface ValueLossFunction {
  /**
   * The loss's derivative by each value.
   *
   * @param samples which samples of the optimizer batch, in the order of the values
   * @param values of those samples, jagged in that order; 0 where not scored
   */
  double[] evaluate(int[] samples, double[] values);
}
