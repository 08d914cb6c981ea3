package roll.api.option;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A user error: its message is one line with the problem, its location, and the allowed values.
 * Commands print the message without a stack trace and exit with status 2. Line breaks, other
 * control characters, and bidirectional marks in the message are escaped.
 */
public class UserException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final Pattern CONTROL =
      Pattern.compile(
          "[\\p{Cntrl}\\u0080-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]");

  /** Creates a user error with a one-line message. */
  public UserException(String message) {
    super(visible(message));
  }

  /** Creates a user error with a one-line message and a cause. */
  public UserException(String message, Throwable cause) {
    super(visible(message), cause);
  }

  private static String visible(String message) {
    return CONTROL
        .matcher(message)
        .replaceAll(found -> "\\\\u%04x".formatted((int) found.group().charAt(0)));
  }

  /** Returns the one-line message; never null. */
  @Override
  public String getMessage() {
    return Objects.requireNonNull(super.getMessage());
  }

  /** The message without a class name, as printed by the interactive shell. */
  @Override
  public String toString() {
    return "roll: " + getMessage();
  }
}
