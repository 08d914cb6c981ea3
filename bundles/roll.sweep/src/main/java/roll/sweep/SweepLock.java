package roll.sweep;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/** The lock of a sweep's folder; the system lets it go when the process dies, however it dies. */
final class SweepLock implements AutoCloseable {
  /** As runs have it in their folders. */
  static final String FILE = ".lock";

  static final String OWNER = ".owner";

  private final Path folder;
  private final FileChannel channel;

  private SweepLock(Path folder, FileChannel channel) {
    this.folder = folder;
    this.channel = channel;
  }

  /**
   * Takes {@code folder}, which is made where it is not there.
   *
   * @throws UserException if another sweep holds it, or it cannot be written
   */
  static SweepLock take(Path folder) {
    try {
      Files.createDirectories(folder);
      FileChannel channel =
          FileChannel.open(
              folder.resolve(FILE),
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              LinkOption.NOFOLLOW_LINKS);
      if (lock(channel) == null) {
        channel.close();
        throw new UserException(
            "sweep folder %s is in use by %s".formatted(folder, holder(folder)));
      }
      Files.writeString(folder.resolve(OWNER), "process " + ProcessHandle.current().pid() + "\n");
      return new SweepLock(folder, channel);
    } catch (IOException e) {
      throw new UserException(
          "sweep folder " + folder + " cannot be written: " + IoReason.of(e), e);
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // another sweep of this process
    }
  }

  /** Who holds {@code folder} in words. */
  static String holder(Path folder) {
    try {
      return Files.readString(folder.resolve(OWNER)).strip();
    } catch (IOException e) {
      return "another process";
    }
  }

  /**
   * Whether a run of another process holds {@code folder}. Not for folders that this process holds:
   * looking would let the lock go.
   */
  static boolean held(Path folder) {
    Path file = folder.resolve(FILE);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      return lock(channel) == null;
    } catch (IOException e) {
      return false; // the run itself says what is wrong
    }
  }

  @Override
  public void close() {
    try (channel) {
      Files.deleteIfExists(folder.resolve(OWNER));
    } catch (IOException e) {
      // the folder is gone or can no longer be written: the lock is given back all the same
    }
  }
}
