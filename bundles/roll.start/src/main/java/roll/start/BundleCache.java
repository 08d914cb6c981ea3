package roll.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files of a distribution, unpacked: one folder for each content that its jar has had, so that
 * a run continues undisturbed while the next start unpacks a new build. Whoever uses a folder holds
 * a shared lock on it; what nobody uses goes when another is unpacked.
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
   * The files of {@code packed}, checked, and unpacked first where that is needed.
   *
   * @param homes folders to keep them in, the first that will do
   * @throws IOException if none will, with the reasons in one line
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
    throw new IOException("the bundles can be unpacked nowhere: " + reasons);
  }

  private static BundleCache open(PackedDistribution packed, Path home) throws IOException {
    Path folder = home.resolve(packed.digest());
    if (Files.isDirectory(folder) && !Files.isWritable(home)) {
      // Somebody else's, or of a system for reading only: nobody can change it under our feet.
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

  /** Unpacks; what a full disk cut short is deleted, unless another process runs from it. */
  private static void unpack(PackedDistribution packed, Path folder) throws IOException {
    try {
      UnpackedFolder.write(packed, folder);
    } catch (IOException e) {
      ProcessLock.deleteUnlessHeld(folder);
      throw e;
    }
  }

  /** Deletes what other contents of the jar left and nobody uses. */
  private static void clean(Path home, Path current) throws IOException {
    for (Path other : FileTrees.list(home)) {
      // only contents: beside them lie folders of processes, whose locks are elsewhere
      boolean content =
          PackedDistribution.DIGEST.matcher(String.valueOf(other.getFileName())).matches();
      if (content && !other.equals(current) && Files.exists(other.resolve(ProcessLock.FILE))) {
        ProcessLock.deleteUnlessHeld(other);
      }
    }
  }

  /** The folder with {@code jar/} and {@code launcher.properties}. */
  Path folder() {
    return folder;
  }

  /** The folder that holds it. */
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
