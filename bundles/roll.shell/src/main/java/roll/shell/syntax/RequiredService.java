package roll.shell.syntax;

import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/** Services that a distribution may lack. */
public final class RequiredService {
  private RequiredService() {}

  /**
   * {@code service}, which {@code command} cannot do without.
   *
   * @param bundle who offers it
   * @throws UserException if it is null
   */
  public static <T> T of(@Nullable T service, String command, String bundle) {
    if (service == null) {
      throw new UserException(
          command + ": this distribution lacks the bundle " + bundle + ", which the command needs");
    }
    return service;
  }
}
