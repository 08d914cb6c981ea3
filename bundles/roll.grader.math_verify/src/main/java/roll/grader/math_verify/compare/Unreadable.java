package roll.grader.math_verify.compare;

/**
 * Says that a text is no formula that is understood here; without a stack trace, as it is common.
 */
public final class Unreadable extends Exception {
  private static final long serialVersionUID = 1;

  /** What was found where. */
  Unreadable(String message) {
    super(message, null, false, false);
  }
}
