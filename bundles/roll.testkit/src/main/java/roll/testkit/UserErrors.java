package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.function.Executable;
import roll.api.option.UserException;

/** Assertions on the message of a refusal. */
public final class UserErrors {
  private UserErrors() {}

  /**
   * Returns the message of the {@link UserException} that {@code action} throws; fails without one.
   */
  public static String userError(Executable action) {
    return String.valueOf(assertThrows(UserException.class, action).getMessage());
  }

  /** Returns the message as {@link #userError(Executable)}; a failure names {@code what}. */
  public static String userError(Executable action, String what) {
    return String.valueOf(assertThrows(UserException.class, action, what).getMessage());
  }
}
