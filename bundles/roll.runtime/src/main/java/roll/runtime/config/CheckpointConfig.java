package roll.runtime.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Settings for writing checkpoints and resuming from them.
 *
 * @param saveSteps steps between checkpoints, and one after the last step; 0 never, unless the run
 *     is stopped before its end
 * @param maxCkptToKeep newest checkpoints kept; 0 keeps all
 * @param asyncSave whether training continues while a checkpoint is written ({@code
 *     async_save_ckpt})
 * @param resume whether to continue from the newest checkpoint of the output folder
 * @param resumeFrom the checkpoint to continue from, or null
 */
public record CheckpointConfig(
    int saveSteps,
    int maxCkptToKeep,
    boolean asyncSave,
    boolean resume,
    @Nullable Path resumeFrom) {}
