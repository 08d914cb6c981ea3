package roll.api.strategy;

import roll.api.config.WorkerConfig;

/**
 * What a session is opened with.
 *
 * @param worker the role's configuration
 * @param seed of random weights, where the model folder has none
 * @param maxGradNorm gradients are scaled down to this norm
 * @param sequenceLength most tokens of a sample
 * @param synchronous whether what is computed together must follow from the data alone, so that a
 *     run repeats bit for bit
 * @param deviceCount into how many devices all machines together are divided, or 0 for as many as
 *     this one has cores
 * @param deviceMemory bytes that a device has, or 0 for its share of the machine's memory
 * @param nodes over how many machines the devices are spread, as many on each
 */
public record SessionConfig(
    WorkerConfig worker,
    long seed,
    double maxGradNorm,
    int sequenceLength,
    boolean synchronous,
    int deviceCount,
    long deviceMemory,
    int nodes) {
  /** A session of no run, in which calls may be computed together as they come. */
  public SessionConfig(WorkerConfig worker, long seed, double maxGradNorm, int sequenceLength) {
    this(worker, seed, maxGradNorm, sequenceLength, false, 0);
  }

  /** A session whose devices share the machine's memory. */
  public SessionConfig(
      WorkerConfig worker,
      long seed,
      double maxGradNorm,
      int sequenceLength,
      boolean synchronous,
      int deviceCount) {
    this(worker, seed, maxGradNorm, sequenceLength, synchronous, deviceCount, 0, 1);
  }

  /**
   * Bytes that each device of this session has: what the run says, or an equal share of the
   * machine's memory; all of it where the session computes on the CPU as a whole.
   *
   * @param machine bytes that the machine has
   */
  public long capacity(long machine) {
    if (worker.devices().isEmpty()) {
      return machine;
    }
    int devices = deviceCount > 0 ? deviceCount : Runtime.getRuntime().availableProcessors();
    return deviceMemory > 0 ? deviceMemory : machine / devices;
  }
}
