package roll.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The folder of temporary files of this process: {@code <home>/<process number>}, made by the
 * script {@code roll}, since a JVM learns only when it starts where such files go. It is locked
 * while it is used and goes when the process ends; what a killed process left goes at the next
 * start.
 */
final class TemporaryFolder implements AutoCloseable {
  /** System property: the folder that the script made. */
  static final String FOLDER = "roll.tmp.dir";

  /** How long a script may take from making the folder to the JVM that locks it. */
  private static final Duration STARTING = Duration.ofMinutes(1);

  private final Path home;
  private final ProcessLock use;

  private TemporaryFolder(Path home, ProcessLock use) {
    this.home = home;
    this.use = use;
  }

  /**
   * Locks {@code folder}, empty, and removes what killed processes left beside it. JNA, which would
   * write into the user's cache, is told of it.
   *
   * @throws IOException if the folder cannot be written
   */
  static TemporaryFolder open(Path folder) throws IOException {
    Path home = folder.toAbsolutePath().getParent();
    if (home == null) {
      throw new IOException(folder + " is in no folder");
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

  /** Deletes the folders that nobody holds; {@code own} also where it is new. */
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
