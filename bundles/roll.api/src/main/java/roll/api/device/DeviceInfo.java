package roll.api.device;

/**
 * A place to compute.
 *
 * @param number that {@code device_mapping} names it by
 * @param kind {@code cuda}, a card, or {@code cpu}, a share of the cores
 * @param name what it is, for people
 * @param memory bytes it has; of a share of the cores, the same share of the machine's memory. It
 *     is what {@code plan} and {@code gpu_memory_utilization} count for a role that is mapped to
 *     it, unless {@code device_memory_gb} says otherwise
 */
public record DeviceInfo(int number, String kind, String name, long memory) {}
