package roll.math;

import org.osgi.annotation.versioning.ConsumerType;

/** The loss of one token before aggregation, with its derivative. */
@ConsumerType
@FunctionalInterface
public interface TokenLoss {
  /**
   * Reads the inputs of {@code token} and sets its loss, its derivative and whether it is clipped.
   */
  void evaluate(LossToken token);
}
