package roll.api.config;

import java.util.Objects;

/**
 * A mistake of the user's: its message is one line that says what is wrong, where, and what is
 * allowed. Commands print the message without a stack trace and exit with status 2.
 */
public final class UserException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A mistake described by {@code message}, one line. */
  public UserException(String message) {
    super(message);
  }

  /** A mistake described by {@code message}, one line, found because of {@code cause}. */
  public UserException(String message, Throwable cause) {
    super(message, cause);
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
