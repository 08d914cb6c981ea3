package roll.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The unpacked files of a distribution: one folder for each content of its jar, so that a run is
 * not affected when the next start unpacks a new build. A process holds a shared lock on the folder
 * that it uses; unused folders are deleted when another one is unpacked.
 */
final class BundleCache implements AutoCloseable {
  private final Path home;
  private final Path folder;
  private final @Nullable ProcessLock use;

  private BundleCache(Path home, Path folder, @Nullable ProcessLock use) {
    this.home = home;
    this.folder = folder;
    this.use = use;
  }

  /**
   * Returns the files of {@code packed} after checking them, and unpacking if necessary.
   *
   * @param homes possible parent folders; the first usable one is taken
   * @throws IOException if none is usable, with the reasons in one line
   */
  static BundleCache open(PackedDistribution packed, List<Path> homes) throws IOException {
    StringBuilder reasons = new StringBuilder();
    for (Path home : homes) {
      try {
        return open(packed, home);
      } catch (IOException e) {
        reasons.append(reasons.isEmpty() ? "" : "; ").append(WritableFolders.reason(home, e));
      }
    }
    throw new IOException("no folder to unpack the bundles: " + reasons);
  }

  private static BundleCache open(PackedDistribution packed, Path home) throws IOException {
    Path folder = home.resolve(packed.digest());
    if (Files.isDirectory(folder) && !Files.isWritable(home)) {
      // another user's, or on a read-only file system: it cannot change while we use it
      if (UnpackedFolder.isWhole(folder)) {
        return new BundleCache(home, folder, null);
      }
    }
    WritableFolders.create(home);
    ProcessLock all = ProcessLock.exclusive(home.resolve(ProcessLock.FILE));
    try {
      Files.createDirectories(folder);
      if (!UnpackedFolder.isWhole(folder)) {
        unpack(packed, folder);
        clean(home, folder);
      }
      return new BundleCache(home, folder, ProcessLock.shared(folder.resolve(ProcessLock.FILE)));
    } finally {
      all.close();
    }
  }

  /** Unpacks; on failure deletes the folder, unless another process uses it. */
  private static void unpack(PackedDistribution packed, Path folder) throws IOException {
    try {
      UnpackedFolder.write(packed, folder);
    } catch (IOException e) {
      ProcessLock.deleteUnlessHeld(folder);
      throw e;
    }
  }

  /** Deletes unused folders of other contents of the jar. */
  private static void clean(Path home, Path current) throws IOException {
    for (Path other : FileTrees.list(home)) {
      // other folders here belong to processes, with locks in other folders
      boolean content =
          PackedDistribution.DIGEST.matcher(String.valueOf(other.getFileName())).matches();
      if (content && !other.equals(current) && Files.exists(other.resolve(ProcessLock.FILE))) {
        ProcessLock.deleteUnlessHeld(other);
      }
    }
  }

  /** Returns the folder with {@code jar/} and {@code launcher.properties}. */
  Path folder() {
    return folder;
  }

  /** Returns the parent folder of the bundle cache. */
  Path home() {
    return home;
  }

  @Override
  public void close() {
    if (use != null) {
      use.close();
    }
  }
}
