package roll.rollout.supervise;

import roll.text.OneLine;

/**
 * The failure of an environment, tool, reward or agent program: it threw, hung or returned an
 * invalid value.
 */
public final class EnvironmentException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean timeout;
  private final String stack;

  private EnvironmentException(String message, Throwable cause, boolean timeout, String stack) {
    super(message, cause);
    this.timeout = timeout;
    this.stack = stack;
  }

  /** Returns the failure of {@code call}, which threw {@code cause}. */
  static EnvironmentException threw(String call, Throwable cause) {
    return of(call + " threw " + OneLine.of(cause), cause);
  }

  /** Returns the failure of a reward with the reason {@code why}. */
  public static EnvironmentException ungraded(RuntimeException why) {
    return why instanceof EnvironmentException known
        ? known
        : of(OneLine.of(String.valueOf(why.getMessage())), why);
  }

  /** Returns the failure of {@code call}, which returned {@code what}, an invalid value. */
  public static EnvironmentException invalid(String call, String what) {
    return of(call + " returned " + what);
  }

  /** Returns a failure with {@code message} on one line. */
  public static EnvironmentException of(String message) {
    String line = OneLine.of(message);
    return of(line, new IllegalStateException(line));
  }

  /**
   * Returns the failure of {@code who}, another process, which took longer than {@code seconds}.
   */
  public static EnvironmentException late(String who, double seconds) {
    String message = "%s took longer than %s s".formatted(who, seconds);
    return new EnvironmentException(message, new IllegalStateException(message), true, message);
  }

  /** Returns the failure of {@code call}, which left the interrupt flag of its thread set. */
  static EnvironmentException interrupted(String call) {
    return of(call + " interrupted its own thread");
  }

  private static EnvironmentException of(String message, Throwable cause) {
    return new EnvironmentException(message, cause, false, OneLine.stack(cause));
  }

  /**
   * Returns the failure of {@code call}, which took longer than {@code seconds} and still runs on
   * {@code thread}.
   */
  static EnvironmentException hung(String call, double seconds, Thread thread) {
    StringBuilder stack = new StringBuilder();
    for (StackTraceElement element : thread.getStackTrace()) {
      stack.append("\tat ").append(element).append('\n');
    }
    String message = "%s took longer than %s s".formatted(call, seconds);
    return new EnvironmentException(
        message, new InterruptedException(message), true, stack.toString().stripTrailing());
  }

  /** Returns whether a time limit was exceeded. */
  public boolean timeout() {
    return timeout;
  }

  /** Returns the stack trace of the environment's exception. */
  public String stack() {
    return stack;
  }
}
