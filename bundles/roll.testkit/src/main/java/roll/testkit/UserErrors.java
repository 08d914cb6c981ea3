package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.function.Executable;
import roll.api.option.UserException;

/** For tests of the one line that a user's mistake is answered with. */
public final class UserErrors {
  private UserErrors() {}

  /** The message of the {@link UserException} that {@code action} throws; fails without one. */
  public static String userError(Executable action) {
    return String.valueOf(assertThrows(UserException.class, action).getMessage());
  }

  /** The same; {@code what} names what should have been refused. */
  public static String userError(Executable action, String what) {
    return String.valueOf(assertThrows(UserException.class, action, what).getMessage());
  }
}
