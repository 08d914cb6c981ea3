package roll.runtime.config;

/**
 * The number of steps of a run and the intervals of checkpoints, logging and validation.
 *
 * @param maxSteps pipeline steps
 * @param checkpoints which checkpoints are written and continued from
 * @param loggingSteps steps between printed trajectories; 0 never
 * @param validation when the policy is validated
 * @param maxSkippedSteps maximum number of consecutive steps skipped for non-finite numbers before
 *     the run ends; 0 for no limit
 * @param rolloutBatchSize trajectories of a training step
 * @param asyncRatio number of steps, also a fraction, by which groups may be started ahead of the
 *     step that uses them; 0 for synchronous training ({@code async_generation_ratio})
 */
public record ScheduleConfig(
    int maxSteps,
    CheckpointConfig checkpoints,
    int loggingSteps,
    ValidationConfig validation,
    int maxSkippedSteps,
    int rolloutBatchSize,
    double asyncRatio) {
  /** Whether the policy is validated when {@code done} steps are complete and others follow. */
  public boolean validatesAfter(int done) {
    int steps = validation.evalSteps();
    return done == 0 ? validation.beforeTrain() : steps > 0 && done % steps == 0;
  }

  /** Whether a checkpoint is due when {@code done} steps are complete. */
  public boolean savesAfter(int done) {
    int steps = checkpoints.saveSteps();
    return steps > 0 && (done == maxSteps || done % steps == 0);
  }

  /** Whether the run has any validation. */
  public boolean validates() {
    return validation.beforeTrain() || validation.evalSteps() > 0;
  }
}
