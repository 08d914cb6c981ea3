package roll.api.option;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A mistake of the user's: its message is one line that says what is wrong, where, and what is
 * allowed. Commands print the message without a stack trace and exit with status 2. Line ends,
 * other control characters and marks of direction, which a name in a file may hold, are written as
 * escapes.
 */
public class UserException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final Pattern CONTROL =
      Pattern.compile(
          "[\\p{Cntrl}\\u0080-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]");

  /** A mistake described by {@code message}, one line. */
  public UserException(String message) {
    super(visible(message));
  }

  /** A mistake described by {@code message}, one line, found because of {@code cause}. */
  public UserException(String message, Throwable cause) {
    super(visible(message), cause);
  }

  private static String visible(String message) {
    return CONTROL
        .matcher(message)
        .replaceAll(found -> "\\\\u%04x".formatted((int) found.group().charAt(0)));
  }

  /** The one line; never null. */
  @Override
  public String getMessage() {
    return Objects.requireNonNull(super.getMessage());
  }

  /** The one line without a class name: it is what the interactive shell prints. */
  @Override
  public String toString() {
    return "roll: " + getMessage();
  }
}
