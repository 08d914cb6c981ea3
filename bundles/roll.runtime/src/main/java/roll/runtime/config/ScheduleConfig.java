package roll.runtime.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How many steps a run has and what happens every so many.
 *
 * @param maxSteps pipeline steps
 * @param saveSteps steps between checkpoints, and one after the last step; 0 never, unless the run
 *     is stopped before its end
 * @param maxCkptToKeep newest checkpoints kept; 0 keeps all
 * @param asyncSave whether training goes on while a checkpoint is written ({@code async_save_ckpt})
 * @param loggingSteps steps between printed trajectories; 0 never
 * @param evalSteps steps between validations, and one after the last step; 0 never
 * @param valBeforeTrain whether the policy is validated before the first step
 * @param maxSkippedSteps steps in a row that cannot be trained on, for numbers that are not finite,
 *     before the run ends; 0 never ends it
 * @param rolloutBatchSize trajectories of a training step
 * @param valBatchSize trajectories of a validation
 * @param asyncRatio how many steps' groups may be begun ahead of the step that uses them, also a
 *     part of a step; 0 trains synchronously ({@code async_generation_ratio})
 * @param resume whether to continue from the newest checkpoint of the output folder
 * @param resumeFrom the checkpoint to continue from, or null
 */
public record ScheduleConfig(
    int maxSteps,
    int saveSteps,
    int maxCkptToKeep,
    boolean asyncSave,
    int loggingSteps,
    int evalSteps,
    boolean valBeforeTrain,
    int maxSkippedSteps,
    int rolloutBatchSize,
    int valBatchSize,
    double asyncRatio,
    boolean resume,
    @Nullable Path resumeFrom) {
  /** Whether the policy is validated when {@code done} steps are complete and others follow. */
  public boolean validatesAfter(int done) {
    return done == 0 ? valBeforeTrain : evalSteps > 0 && done % evalSteps == 0;
  }

  /** Whether a checkpoint is due when {@code done} steps are complete. */
  public boolean savesAfter(int done) {
    return saveSteps > 0 && (done == maxSteps || done % saveSteps == 0);
  }

  /** Whether there is any validation. */
  public boolean validates() {
    return valBeforeTrain || evalSteps > 0;
  }
}
