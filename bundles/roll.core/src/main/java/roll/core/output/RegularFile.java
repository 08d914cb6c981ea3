package roll.core.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import roll.api.option.UserException;

/**
 * Files in a folder that may be writable by others: a link planted under their name would redirect
 * writes, and a pipe would block the run.
 */
final class RegularFile {
  private RegularFile() {}

  /**
   * Checks that {@code file} is a regular file or does not exist.
   *
   * @throws UserException if it is a link, a folder or a device
   */
  static void require(Path file) {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new UserException(
          file
              + " is "
              + (Files.isSymbolicLink(file) ? "a link" : "no plain file")
              + ": a run writes there; delete it, or set another exp_name or output_dir");
    }
  }

  /** Writes {@code text} into a new file that replaces the old one atomically. */
  static void replace(Path file, String text) throws IOException {
    Files.deleteIfExists(file);
    Files.writeString(
        file,
        text,
        StandardOpenOption.CREATE_NEW,
        StandardOpenOption.WRITE,
        LinkOption.NOFOLLOW_LINKS);
  }
}
