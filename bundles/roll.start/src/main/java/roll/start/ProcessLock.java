package roll.start;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A lock on a file, between processes. The system returns it when a process ends, however that
 * happens.
 *
 * @param channel keeps the file open, and the lock held
 */
record ProcessLock(FileChannel channel) implements AutoCloseable {
  /** The file in a folder that is locked. */
  static final String FILE = "lock";

  /** Alone; waits for all others. */
  static ProcessLock exclusive(Path file) throws IOException {
    return waiting(file, false);
  }

  /** With others that share it; waits for one that is alone. */
  static ProcessLock shared(Path file) throws IOException {
    return waiting(file, true);
  }

  /** Alone, or null where another process has it. */
  static @Nullable ProcessLock tryExclusive(Path file) throws IOException {
    FileChannel channel = open(file);
    FileLock lock = channel.tryLock();
    if (lock == null) {
      channel.close();
      return null;
    }
    return new ProcessLock(channel);
  }

  /** Deletes {@code folder} with all in it, unless a process holds the lock in it. */
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
