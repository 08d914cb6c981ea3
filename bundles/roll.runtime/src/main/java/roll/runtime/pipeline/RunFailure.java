package roll.runtime.pipeline;

import java.util.Objects;
import roll.api.option.UserException;

/**
 * Thrown when a run that started correctly fails because of something that happened during it. The
 * message is one line with the event and what remains of the run. Commands print it without a stack
 * trace and exit with status 1.
 */
public final class RunFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A failure described by {@code message}, one line; line ends in it are written as escapes. */
  public RunFailure(String message) {
    super(new UserException(message).getMessage());
  }

  /** Returns the one-line message of the failure; never null. */
  @Override
  public String getMessage() {
    return Objects.requireNonNull(super.getMessage());
  }

  /** Returns the one-line message without a class name, as the interactive shell prints it. */
  @Override
  public String toString() {
    return "roll: " + getMessage();
  }
}
