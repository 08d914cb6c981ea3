package roll.rollout.supervise;

import roll.text.OneLine;

/** An environment, tool or reward broke its contract: it threw, hung, or gave what it must not. */
public final class EnvironmentException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean timeout;
  private final String stack;

  private EnvironmentException(String message, Throwable cause, boolean timeout, String stack) {
    super(message, cause);
    this.timeout = timeout;
    this.stack = stack;
  }

  /** {@code call} threw {@code cause}. */
  static EnvironmentException threw(String call, Throwable cause) {
    return of(call + " threw " + OneLine.of(cause), cause);
  }

  /** A reward cannot grade an episode, as {@code why} tells. */
  public static EnvironmentException ungraded(RuntimeException why) {
    return why instanceof EnvironmentException known
        ? known
        : of(OneLine.of(String.valueOf(why.getMessage())), why);
  }

  /** {@code call} gave what it must not. */
  public static EnvironmentException gave(String call, String what) {
    String message = OneLine.of(call + " gave " + what);
    return of(message, new IllegalStateException(message));
  }

  /** {@code who} took longer than {@code seconds}, and is no thread of this process. */
  public static EnvironmentException late(String who, double seconds) {
    String message = "%s took longer than %s s".formatted(who, seconds);
    return new EnvironmentException(message, new IllegalStateException(message), true, message);
  }

  /** {@code call} left the interrupt flag of its thread set. */
  static EnvironmentException interrupted(String call) {
    String message = call + " interrupted its own thread";
    return of(message, new IllegalStateException(message));
  }

  private static EnvironmentException of(String message, Throwable cause) {
    return new EnvironmentException(message, cause, false, OneLine.stack(cause));
  }

  /** {@code call} took longer than {@code seconds}; {@code thread} is where it still is. */
  static EnvironmentException hung(String call, double seconds, Thread thread) {
    StringBuilder stack = new StringBuilder();
    for (StackTraceElement element : thread.getStackTrace()) {
      stack.append("\tat ").append(element).append('\n');
    }
    String message = "%s took longer than %s s".formatted(call, seconds);
    return new EnvironmentException(
        message, new InterruptedException(message), true, stack.toString().stripTrailing());
  }

  /** Whether it hung. */
  public boolean timeout() {
    return timeout;
  }

  /** Where it happened. */
  public String stack() {
    return stack;
  }
}
