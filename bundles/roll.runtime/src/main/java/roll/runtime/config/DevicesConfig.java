package roll.runtime.config;

/**
 * The devices into which the machine is divided, and how they compute.
 *
 * @param count how many, or 0 for as many as the machine has ({@code num_gpus_per_node} × {@code
 *     num_nodes})
 * @param memory bytes that a device has, or 0 for its share of the machine's memory ({@code
 *     device_memory_gb})
 * @param fullDeterminism whether only algorithms are used that give the same bits every time
 *     ({@code full_determinism})
 * @param nodes how many machines are asked for, this one among them ({@code num_nodes})
 */
public record DevicesConfig(int count, long memory, boolean fullDeterminism, int nodes) {
  /** Devices of this machine alone. */
  public DevicesConfig(int count, long memory, boolean fullDeterminism) {
    this(count, memory, fullDeterminism, 1);
  }

  /** Devices of this machine alone that may use any algorithm. */
  public DevicesConfig(int count, long memory) {
    this(count, memory, false);
  }
}
