package roll.api.loss;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * A policy loss with its written-out gradient. Stateless; called from any thread. The value and the
 * gradient are those of the part of the optimizer batch that is given: the sum over all parts is
 * the loss of the whole, whatever the parts.
 */
@ConsumerType
public interface PolicyLoss {
  /** Value, gradient and metrics of the samples in {@code input}. */
  LossResult evaluate(LossInput input);
}
