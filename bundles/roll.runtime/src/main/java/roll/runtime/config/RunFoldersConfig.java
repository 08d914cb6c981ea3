package roll.runtime.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Folders of a run beside its output folder.
 *
 * @param log where its log is written as well, or null ({@code logging_dir} with the name of the
 *     experiment)
 * @param frames where drawn episodes are kept, or null for those of the last validation in the
 *     output folder ({@code render_save_dir} with the name of the experiment)
 * @param checkpoints where its checkpoints are, or null for the output folder ({@code
 *     checkpoint_config.output_dir})
 */
public record RunFoldersConfig(
    @Nullable Path log, @Nullable Path frames, @Nullable Path checkpoints) {
  /** Folder settings by which all files are in the output folder. */
  public static final RunFoldersConfig NONE = new RunFoldersConfig(null, null, null);
}
