package roll.api.strategy;

import roll.api.config.WorkerConfig;

/**
 * Everything a strategy needs to open a session: the configuration of the role, seed, sequence
 * length and devices.
 *
 * @param worker the role's configuration
 * @param seed seed of random weights if the model folder has none
 * @param maxGradNorm gradients are clipped to this norm
 * @param sequenceLength maximum number of tokens per sample
 * @param synchronous whether batching must depend on the data alone, so that a run is reproducible
 *     bit for bit
 * @param deviceCount total number of devices of all machines, or 0 for one per core of this machine
 * @param deviceMemory memory of a device in bytes, or 0 for its share of the machine's memory
 * @param nodes number of machines, each with the same number of devices
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
  /** A session outside of a run, which may batch calls as they arrive. */
  public SessionConfig(WorkerConfig worker, long seed, double maxGradNorm, int sequenceLength) {
    this(worker, seed, maxGradNorm, sequenceLength, false, 0);
  }

  /**
   * Creates the configuration of a session on one machine whose devices share its memory equally.
   */
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
   * Memory of each device of this session in bytes: the configured size, or an equal share of the
   * machine's memory; all of it if the session runs on the CPU.
   *
   * @param machine memory of the machine in bytes
   */
  public long capacity(long machine) {
    if (worker.devices().isEmpty()) {
      return machine;
    }
    int devices = deviceCount > 0 ? deviceCount : Runtime.getRuntime().availableProcessors();
    return deviceMemory > 0 ? deviceMemory : machine / devices;
  }
}
