package roll.core;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.config.UserException;

/** The folder a run writes into, held by one run at a time; the lock dies with the process. */
final class OutputFolder implements AutoCloseable {
  private static final String LOCK = ".lock";

  private final Path path;
  private final FileChannel channel;

  private OutputFolder(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /**
   * Takes the folder, creating it where needed.
   *
   * @param resume whether what is in it is continued
   * @throws UserException if it cannot be written, another run holds it, or it holds another run
   */
  static OutputFolder take(Path path, boolean resume) {
    return take(path, resume, true);
  }

  /** Takes the folder for what cannot be continued later. */
  static OutputFolder takeNew(Path path) {
    return take(path, false, false);
  }

  private static OutputFolder take(Path path, boolean resume, boolean resumable) {
    FileChannel channel;
    try {
      if (!resume && occupied(path)) {
        throw new UserException(
            "output folder "
                + path
                + " already holds a run: set "
                + (resumable ? "resume_from_checkpoint=true to continue it, or " : "")
                + "another exp_name or output_dir");
      }
      Files.createDirectories(path);
      channel =
          FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UserException(
          "output folder " + path + " cannot be written (" + e.getClass().getSimpleName() + ")", e);
    }
    if (lock(channel) == null) {
      closeQuietly(channel);
      throw new UserException("output folder " + path + " is in use by another run");
    }
    return new OutputFolder(path, channel);
  }

  /** Whether the folder holds more than what a run leaves that was refused before it began. */
  private static boolean occupied(Path path) throws IOException {
    if (!Files.exists(path)) {
      return false;
    }
    if (!Files.isDirectory(path)) {
      throw new UserException("output folder " + path + " is a file");
    }
    try (Stream<Path> entries = Files.list(path)) {
      return entries.anyMatch(entry -> !entry.endsWith(LOCK) && !entry.endsWith(RunLog.NAME));
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) {
    try {
      return channel.tryLock();
    } catch (IOException | OverlappingFileLockException e) {
      return null;
    }
  }

  private static void closeQuietly(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  Path path() {
    return path;
  }

  @Override
  public void close() {
    closeQuietly(channel);
  }
}
