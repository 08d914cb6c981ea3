package roll.api.strategy;

import org.osgi.annotation.versioning.ConsumerType;

/** The loss of a part of an optimizer batch, as a function of a value model's values. */
@ConsumerType
@FunctionalInterface
public interface ValueLossFunction {
  /**
   * Computes the derivative of the loss by each value.
   *
   * @param samples indices of samples of the optimizer batch, in the order of the values
   * @param values values of those samples, jagged in that order; 0 if not scored
   */
  double[] evaluate(int[] samples, double[] values);
}
