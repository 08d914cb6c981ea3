package roll.start;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file lock between processes, released by the system when the process ends.
 *
 * @param channel open file that holds the lock
 */
record ProcessLock(FileChannel channel) implements AutoCloseable {
  /** Name of the lock file in a folder. */
  static final String FILE = "lock";

  /** Takes an exclusive lock; waits for all others. */
  static ProcessLock exclusive(Path file) throws IOException {
    return waiting(file, false);
  }

  /** Takes a shared lock; waits for an exclusive one. */
  static ProcessLock shared(Path file) throws IOException {
    return waiting(file, true);
  }

  /** Takes an exclusive lock; returns null if another process has it. */
  static @Nullable ProcessLock tryExclusive(Path file) throws IOException {
    FileChannel channel = open(file);
    FileLock lock = channel.tryLock();
    if (lock == null) {
      channel.close();
      return null;
    }
    return new ProcessLock(channel);
  }

  /** Deletes {@code folder} with its contents, unless a process holds its lock. */
  static void deleteUnlessHeld(Path folder) throws IOException {
    ProcessLock unused = tryExclusive(folder.resolve(FILE));
    if (unused != null) {
      try (unused) {
        FileTrees.delete(folder);
      }
    }
  }

  private static ProcessLock waiting(Path file, boolean shared) throws IOException {
    FileChannel channel = open(file);
    try {
      FileLock unused = channel.lock(0, Long.MAX_VALUE, shared);
      return new ProcessLock(channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
