package roll.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The folder of temporary files of this process: {@code <home>/<process number>}, created by the
 * script {@code roll}, since {@code java.io.tmpdir} must be set when the JVM starts. It is locked
 * while in use and deleted when the process ends; that of a killed process at the next start.
 */
final class TemporaryFolder implements AutoCloseable {
  /** System property: the folder that the script created. */
  static final String FOLDER = "roll.tmp.dir";

  /** Maximum time from the creation of the folder by the script to the lock by the JVM. */
  private static final Duration STARTING = Duration.ofMinutes(1);

  private final Path home;
  private final ProcessLock use;

  private TemporaryFolder(Path home, ProcessLock use) {
    this.home = home;
    this.use = use;
  }

  /**
   * Locks {@code folder}, emptied, and deletes the folders of killed processes. Also makes JNA use
   * the folder instead of the user's cache.
   *
   * @throws IOException if the folder cannot be written
   */
  static TemporaryFolder open(Path folder) throws IOException {
    Path home = folder.toAbsolutePath().getParent();
    if (home == null) {
      throw new IOException(folder + " has no parent folder");
    }
    WritableFolders.create(home);
    ProcessLock all = ProcessLock.exclusive(home.resolve(ProcessLock.FILE));
    try {
      clean(home, folder);
      WritableFolders.create(folder);
      TemporaryFolder opened =
          new TemporaryFolder(home, ProcessLock.shared(folder.resolve(ProcessLock.FILE)));
      if (System.getProperty("jna.tmpdir") == null) {
        System.setProperty("jna.tmpdir", folder.toString());
      }
      return opened;
    } finally {
      all.close();
    }
  }

  /** Deletes unlocked folders; {@code own} even if it is new. */
  private static void clean(Path home, @Nullable Path own) throws IOException {
    for (Path other : FileTrees.list(home)) {
      boolean numbered = String.valueOf(other.getFileName()).matches("\\d+");
      if (numbered
          && Files.isDirectory(other, LinkOption.NOFOLLOW_LINKS)
          && (other.equals(own) || !starting(other))) {
        ProcessLock.deleteUnlessHeld(other);
      }
    }
  }

  private static boolean starting(Path folder) throws IOException {
    return !Files.exists(folder.resolve(ProcessLock.FILE))
        && Files.getLastModifiedTime(folder).toInstant().isAfter(Instant.now().minus(STARTING));
  }

  @Override
  public void close() {
    use.close();
    try {
      ProcessLock all = ProcessLock.exclusive(home.resolve(ProcessLock.FILE));
      try (all) {
        clean(home, null);
      }
    } catch (IOException e) {
      // the next start tries again
    }
  }
}
