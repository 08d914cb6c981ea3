package roll.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The folder of the framework's files for this process. It is deleted when the process ends; that
 * of a killed process at the next start, which finds it unlocked.
 */
final class FrameworkStorage implements AutoCloseable {
  private final Path folder;
  private final ProcessLock use;

  private FrameworkStorage(Path folder, ProcessLock use) {
    this.folder = folder;
    this.use = use;
  }

  /**
   * Creates a folder in the first usable one of {@code homes}.
   *
   * @throws IOException if none is usable, with the reasons in one line
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
    throw new IOException("no writable folder for the framework: " + reasons);
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

  /** Returns the folder for the framework, which does not exist yet. */
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
