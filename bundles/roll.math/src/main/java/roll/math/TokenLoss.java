package roll.math;

import org.osgi.annotation.versioning.ConsumerType;

/** The loss of one token before aggregation, with its derivative. */
@ConsumerType
@FunctionalInterface
public interface TokenLoss {
  /**
   * Reads what is known of {@code token} and says its loss, its slopes and whether it is clipped.
   */
  void evaluate(Token token);
}
