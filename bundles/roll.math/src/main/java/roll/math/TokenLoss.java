package roll.math;

/** The loss of one token before aggregation, with its derivative. */
@FunctionalInterface
public interface TokenLoss {
  /**
   * Reads what is known of {@code token} and says its loss, its slopes and whether it is clipped.
   */
  void evaluate(Token token);
}
