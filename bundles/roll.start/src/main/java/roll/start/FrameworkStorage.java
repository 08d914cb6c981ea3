package roll.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The framework's own folder, of this process alone. It goes when the process ends; the folder of
 * one that was killed goes at the next start, which sees that nobody holds its lock.
 */
final class FrameworkStorage implements AutoCloseable {
  private final Path folder;
  private final ProcessLock use;

  private FrameworkStorage(Path folder, ProcessLock use) {
    this.folder = folder;
    this.use = use;
  }

  /**
   * A new folder in the first of {@code homes} that will do.
   *
   * @throws IOException if none will, with the reasons in one line
   */
  static FrameworkStorage open(List<Path> homes) throws IOException {
    StringBuilder reasons = new StringBuilder();
    for (Path home : homes) {
      try {
        return in(home);
      } catch (IOException e) {
        reasons.append(reasons.isEmpty() ? "" : "; ").append(WritableFolders.reason(home, e));
      }
    }
    throw new IOException("the framework can write nowhere: " + reasons);
  }

  private static FrameworkStorage in(Path home) throws IOException {
    WritableFolders.create(home);
    ProcessLock all = ProcessLock.exclusive(home.resolve(ProcessLock.FILE));
    try {
      clean(home);
      Path folder = Files.createTempDirectory(home, "run-");
      return new FrameworkStorage(folder, ProcessLock.exclusive(folder.resolve(ProcessLock.FILE)));
    } finally {
      all.close();
    }
  }

  private static void clean(Path home) throws IOException {
    for (Path other : FileTrees.list(home)) {
      if (Files.isDirectory(other)) {
        ProcessLock.deleteUnlessHeld(other);
      }
    }
  }

  /** Where the framework may write; not there yet. */
  Path framework() {
    return folder.resolve("framework");
  }

  @Override
  public void close() {
    try {
      FileTrees.delete(folder);
    } catch (IOException e) {
      // the next start tries again
    }
    use.close();
  }
}
