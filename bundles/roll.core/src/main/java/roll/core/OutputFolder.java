package roll.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import roll.api.config.UserException;

/** The folder a run writes into, held by one run at a time; the lock dies with the process. */
final class OutputFolder implements AutoCloseable {
  private final Path path;
  private final FolderLock lock;

  private OutputFolder(Path path, FolderLock lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Takes the folder, creating it where needed.
   *
   * @param resume whether what is in it is continued
   * @throws UserException if it cannot be written, another run holds it, or it holds another run
   */
  static OutputFolder take(Path path, boolean resume) {
    return take(path, resume, true);
  }

  /** Takes the folder for what cannot be continued later. */
  static OutputFolder takeNew(Path path) {
    return take(path, false, false);
  }

  private static OutputFolder take(Path path, boolean resume, boolean resumable) {
    try {
      if (!resume && occupied(path)) {
        throw new UserException(
            "output folder "
                + path
                + " already holds a run: set "
                + (resumable ? "resume_from_checkpoint=true to continue it, or " : "")
                + "another exp_name or output_dir");
      }
      Files.createDirectories(path);
      return new OutputFolder(path, FolderLock.take(path));
    } catch (IOException e) {
      throw new UserException(
          "output folder " + path + " cannot be written (" + e.getClass().getSimpleName() + ")", e);
    }
  }

  /** Whether the folder holds more than what a run leaves that was refused before it began. */
  private static boolean occupied(Path path) throws IOException {
    if (!Files.exists(path)) {
      return false;
    }
    if (!Files.isDirectory(path)) {
      throw new UserException("output folder " + path + " is a file");
    }
    try (Stream<Path> entries = Files.list(path)) {
      return entries.anyMatch(entry -> !isOurs(entry));
    }
  }

  private static boolean isOurs(Path entry) {
    return entry.endsWith(RunLog.NAME) || FolderLock.NAMES.stream().anyMatch(entry::endsWith);
  }

  /** Lines for the user: that the run which held the folder before did not end by itself. */
  List<String> notices() {
    String crashed = lock.crashed();
    return crashed == null
        ? List.of()
        : List.of("process " + crashed + " did not give back " + path + " and is gone: taken over");
  }

  Path path() {
    return path;
  }

  @Override
  public void close() {
    lock.close();
  }
}
