package roll.core.output;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.runtime.config.RunConfig;
import roll.runtime.config.RunFoldersConfig;

/** Whether the folders beside the output folder can be written; leaves them as they are. */
public final class RunFoldersCheck {
  private RunFoldersCheck() {}

  /**
   * Checks that the folders of {@code run} beside the output folder can be written.
   *
   * @throws UserException for the first that a run could not begin with
   */
  public static void require(RunConfig run) {
    RunFoldersConfig places = run.places();
    Path log = places.log();
    writable("logging_dir", log);
    if (log != null) {
      RegularFile.require(log.resolve(RunLog.NAME));
    }
    writable("render_save_dir", places.frames());
    writable("checkpoint_config.output_dir", places.checkpoints());
    try {
      String occupied = CheckpointFolder.occupied(run);
      if (occupied != null) {
        throw new UserException(occupied);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Checks that the folder, or its nearest existing parent, is writable. */
  private static void writable(String key, @Nullable Path folder) {
    if (folder == null) {
      return;
    }
    Path there = folder.toAbsolutePath().normalize();
    while (there != null && !Files.exists(there)) {
      there = there.getParent();
    }
    if (there == null) {
      throw CheckpointFolder.cannot(key, folder, "there is no such root");
    }
    if (!Files.isDirectory(there)) {
      throw CheckpointFolder.cannot(key, folder, there + " is no folder");
    }
    if (!Files.isWritable(there)) {
      throw CheckpointFolder.cannot(key, folder, there + " is read-only");
    }
  }
}
