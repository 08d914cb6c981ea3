package roll.core.output;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.runtime.config.RunConfig;

/**
 * The folder of a run's checkpoints where that is not its output folder, held by one run at a time:
 * two that wrote into one would delete each other's.
 */
public final class CheckpointFolder implements AutoCloseable {
  private static final String WHAT = "checkpoint_config.output_dir";
  private static final Pattern CHECKPOINT = Pattern.compile("checkpoint-\\d{1,9}");

  private final @Nullable Path path;
  private final @Nullable FolderLock lock;
  private final boolean made;

  private CheckpointFolder(@Nullable Path path, @Nullable FolderLock lock, boolean made) {
    this.path = path;
    this.lock = lock;
    this.made = made;
  }

  /**
   * Locks the checkpoint folder of {@code run}, creating it if needed; does nothing if it is the
   * output folder.
   *
   * @throws UserException if it cannot be written, another run holds it, or it holds checkpoints
   *     that are not to be continued from
   */
  public static CheckpointFolder take(RunConfig run) {
    Path path = run.places().checkpoints();
    if (path == null) {
      return new CheckpointFolder(null, null, false);
    }
    boolean made = !Files.exists(path);
    try {
      Files.createDirectories(path);
      FolderLock lock = FolderLock.take(path, "checkpoint folder");
      CheckpointFolder taken = new CheckpointFolder(path, lock, made);
      String occupied = occupied(run);
      if (occupied != null) {
        taken.close();
        throw new UserException(occupied);
      }
      return taken;
    } catch (IOException e) {
      throw cannot(WHAT, path, IoReason.of(e));
    }
  }

  /**
   * Returns a message if {@code run} would find the checkpoints of another run in its checkpoint
   * folder, else null.
   */
  static @Nullable String occupied(RunConfig run) throws IOException {
    Path path = run.places().checkpoints();
    if (path == null || run.schedule().checkpoints().resume() || !Files.isDirectory(path)) {
      return null;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
      for (Path entry : entries) {
        if (CHECKPOINT.matcher(String.valueOf(entry.getFileName())).matches()) {
          return WHAT
              + ": "
              + path
              + " already holds "
              + entry.getFileName()
              + ": set resume_from_checkpoint=true to continue from there, or another folder";
        }
      }
    }
    return null;
  }

  static UserException cannot(String key, Path path, String why) {
    return new UserException(key + ": " + path + " cannot be written (" + why + ")");
  }

  /** Releases the checkpoint folder; deletes it if it was created for this run and is empty. */
  @Override
  public void close() {
    if (lock == null || path == null) {
      return;
    }
    if (made) {
      removeUnused(path);
    }
    lock.close();
  }

  private static void removeUnused(Path path) {
    try (Stream<Path> entries = Files.list(path)) {
      if (entries.allMatch(entry -> FolderLock.NAMES.stream().anyMatch(entry::endsWith))) {
        FolderTree.delete(path);
      }
    } catch (IOException e) {
      // it stays, as it would with a checkpoint in it
    }
  }
}
