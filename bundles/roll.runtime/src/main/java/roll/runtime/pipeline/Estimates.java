package roll.runtime.pipeline;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a run will write, hold and take, as far as that can be said before it begins.
 *
 * @param checkpoint bytes of weights and optimizers in a checkpoint
 * @param kept checkpoints that are on the disk at once, at most; 0 if none is written or it is not
 *     known how many steps there will be
 * @param models bytes of the machine's memory that models hold in the phase in which they hold
 *     most; 0 if all are on accelerators
 * @param copied bytes of the machine's memory while a checkpoint is written in the background
 * @param batch bytes of the trajectories of a step if all are as long as they may be, without their
 *     pictures
 * @param machine bytes that this machine has
 * @param measured what steps of the same configuration took, or null where nobody has measured that
 */
public record Estimates(
    long checkpoint,
    long kept,
    long models,
    long copied,
    long batch,
    long machine,
    @Nullable Measured measured) {
  /**
   * Steps that were taken before.
   *
   * @param steps how many are averaged
   * @param seconds of one, on average
   * @param file that has their times
   */
  public record Measured(int steps, double seconds, Path file) {}

  /** Bytes of the machine's memory for all of it together. */
  public long host() {
    return models + copied + batch;
  }
}
