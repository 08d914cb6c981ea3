package roll.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The framework's own folder, of this process alone. It goes when the process ends; the folder of
 * one that was killed goes at the next start, which sees that nobody holds its lock.
 */
final class Storage implements AutoCloseable {
  private final Path folder;
  private final Lock use;

  private Storage(Path folder, Lock use) {
    this.folder = folder;
    this.use = use;
  }

  /**
   * A new folder in the first of {@code homes} that will do.
   *
   * @throws IOException if none will, with the reasons in one line
   */
  static Storage open(List<Path> homes) throws IOException {
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

  private static Storage in(Path home) throws IOException {
    WritableFolders.create(home);
    Lock all = Lock.exclusive(home.resolve(Lock.FILE));
    try {
      clean(home);
      Path folder = Files.createTempDirectory(home, "run-");
      return new Storage(folder, Lock.exclusive(folder.resolve(Lock.FILE)));
    } finally {
      all.close();
    }
  }

  private static void clean(Path home) throws IOException {
    for (Path other : Trees.list(home)) {
      if (Files.isDirectory(other)) {
        Lock.deleteUnlessHeld(other);
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
      Trees.delete(folder);
    } catch (IOException e) {
      // the next start tries again
    }
    use.close();
  }
}
