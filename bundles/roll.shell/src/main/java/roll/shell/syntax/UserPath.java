package roll.shell.syntax;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/** Resolves file names that a user types. */
public final class UserPath {
  private UserPath() {}

  /**
   * Returns the path {@code name}, relative to the session's folder. If that is the working
   * directory of the process, the path stays relative, so that messages show what was typed.
   *
   * @throws UserException if {@code name} is no valid path
   */
  public static Path of(CommandSession session, String name) {
    try {
      Path path = Path.of(name);
      @Nullable Path current = session.currentDir();
      return current == null || current.equals(Path.of("").toAbsolutePath())
          ? path
          : current.resolve(path);
    } catch (InvalidPathException e) {
      throw new UserException("'" + name + "' is not a valid file name: " + e.getReason(), e);
    }
  }
}
