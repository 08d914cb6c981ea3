package roll.api.strategy;

import org.osgi.annotation.versioning.ConsumerType;

/** The loss of a part of an optimizer batch, as a function of a language model's scores. */
@ConsumerType
@FunctionalInterface
public interface LossFunction {
  /**
   * Computes the gradient of the loss.
   *
   * @param samples indices of samples of the optimizer batch, in the order of the scores
   * @param scores scores of those samples, jagged in that order
   */
  Gradients evaluate(int[] samples, Scores scores);
}
