package roll.runtime.pipeline;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Estimated disk, memory and time of a run.
 *
 * @param checkpoint bytes of weights and optimizers in a checkpoint
 * @param kept maximum number of checkpoints on disk at once; 0 if none is written or the number of
 *     steps is unknown
 * @param models peak host memory of the models, in bytes; 0 if all are on accelerators
 * @param copied bytes of host memory while a checkpoint is written in the background
 * @param batch bytes of the trajectories of a step at maximum length, without pictures
 * @param machine bytes of this machine's memory
 * @param measured durations of earlier steps of the same configuration, or null if unknown
 */
public record RunEstimates(
    long checkpoint,
    long kept,
    long models,
    long copied,
    long batch,
    long machine,
    @Nullable Measured measured) {
  /**
   * Measured times of steps of an earlier run.
   *
   * @param steps how many are averaged
   * @param seconds of one, on average
   * @param file that has their times
   */
  public record Measured(int steps, double seconds, Path file) {}

  /** Returns the total bytes of host memory of the run. */
  public long host() {
    return models + copied + batch;
  }
}
