package roll.api.device;

/**
 * A compute device: the CPU or an accelerator.
 *
 * @param number its number in {@code device_mapping}
 * @param kind {@code cuda} for a GPU, or {@code cpu} for a share of the cores
 * @param name its name for users
 * @param memory its memory in bytes; for a share of the cores, the same share of the machine's
 *     memory. Used by {@code plan} and {@code gpu_memory_utilization} unless {@code
 *     device_memory_gb} is set
 */
public record DeviceInfo(int number, String kind, String name, long memory) {}
