package roll.api.strategy;

import roll.api.config.RunConfig;
import roll.api.config.WorkerConfig;

/**
 * What a session is opened with.
 *
 * @param worker the role's configuration
 * @param seed of random weights, where the model folder has none
 * @param maxGradNorm gradients are scaled down to this norm
 * @param sequenceLength most tokens of a sample
 */
public record SessionConfig(
    WorkerConfig worker, long seed, double maxGradNorm, int sequenceLength) {
  /** What a role with the configuration {@code worker} opens its session with. */
  public static SessionConfig of(RunConfig run, WorkerConfig worker) {
    return new SessionConfig(
        worker, run.seed(), run.algorithm().maxGradNorm(), run.sequenceLength());
  }
}
