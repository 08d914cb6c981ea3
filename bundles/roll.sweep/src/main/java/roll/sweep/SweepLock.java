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

/** The lock of a sweep folder, released by the system when the process ends. */
final class SweepLock implements AutoCloseable {
  /** Lock file, as in run folders. */
  static final String FILE = ".lock";

  static final String OWNER = ".owner";

  private final Path folder;
  private final FileChannel channel;

  private SweepLock(Path folder, FileChannel channel) {
    this.folder = folder;
    this.channel = channel;
  }

  /**
   * Locks {@code folder}, creating it if necessary.
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

  /** Returns the process that holds {@code folder}, as text. */
  static String holder(Path folder) {
    try {
      return Files.readString(folder.resolve(OWNER)).strip();
    } catch (IOException e) {
      return "another process";
    }
  }

  /**
   * Returns whether another process holds {@code folder}. Not for folders that this process holds:
   * opening the file would release its lock.
   */
  static boolean held(Path folder) {
    Path file = folder.resolve(FILE);
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      return lock(channel) == null;
    } catch (IOException e) {
      return false; // reported by the run itself
    }
  }

  @Override
  public void close() {
    try (channel) {
      Files.deleteIfExists(folder.resolve(OWNER));
    } catch (IOException e) {
      // the folder is gone or not writable; the lock is released anyway
    }
  }
}
