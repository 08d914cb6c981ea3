package roll.api.option;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A mistake of the user's: its message is one line that says what is wrong, where, and what is
 * allowed. Commands print the message without a stack trace and exit with status 2. Line ends and
 * other control characters, which a name in a file may hold, are written as escapes.
 */
public class UserException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\u0085\\u2028\\u2029]");

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
