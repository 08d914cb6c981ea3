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
 * @param synchronous whether what is computed together must follow from the data alone, so that a
 *     run repeats to the last bit
 * @param deviceCount into how many devices the machine is divided, or 0 for as many as it has cores
 */
public record SessionConfig(
    WorkerConfig worker,
    long seed,
    double maxGradNorm,
    int sequenceLength,
    boolean synchronous,
    int deviceCount) {
  /** A session of no run, in which calls may be computed together as they come. */
  public SessionConfig(WorkerConfig worker, long seed, double maxGradNorm, int sequenceLength) {
    this(worker, seed, maxGradNorm, sequenceLength, false, 0);
  }

  /** What a role with the configuration {@code worker} opens its session with. */
  public static SessionConfig of(RunConfig run, WorkerConfig worker) {
    return new SessionConfig(
        worker,
        run.seed(),
        run.algorithm().maxGradNorm(),
        run.sequenceLength(),
        run.schedule().asyncRatio() == 0,
        run.deviceCount());
  }
}
