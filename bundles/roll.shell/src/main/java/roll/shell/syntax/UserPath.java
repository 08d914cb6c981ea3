package roll.shell.syntax;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/** Files a person names. */
public final class UserPath {
  private UserPath() {}

  /**
   * The file {@code name}, relative to the session's folder. Where that is the process's folder the
   * name stays as it was written, so that messages repeat what the person knows.
   *
   * @throws UserException if {@code name} cannot be a file's name
   */
  public static Path of(CommandSession session, String name) {
    try {
      Path path = Path.of(name);
      @Nullable Path current = session.currentDir();
      return current == null || current.equals(Path.of("").toAbsolutePath())
          ? path
          : current.resolve(path);
    } catch (InvalidPathException e) {
      throw new UserException("'" + name + "' cannot be a file: " + e.getReason(), e);
    }
  }
}
