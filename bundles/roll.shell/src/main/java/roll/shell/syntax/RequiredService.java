package roll.shell.syntax;

import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/** Checks services that a distribution may lack. */
public final class RequiredService {
  private RequiredService() {}

  /**
   * Returns {@code service}, which {@code command} needs; fails if it is missing.
   *
   * @param bundle that provides the service, for the message
   * @throws UserException if {@code service} is null
   */
  public static <T> T of(@Nullable T service, String command, String bundle) {
    if (service == null) {
      throw new UserException(
          command + ": this distribution lacks the bundle " + bundle + ", which the command needs");
    }
    return service;
  }
}
