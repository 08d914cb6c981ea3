package roll.api.device;

/**
 * A place to compute.
 *
 * @param number that {@code device_mapping} names it by
 * @param kind such as {@code cpu}
 * @param name what it is, for people
 * @param memory bytes it has
 */
public record DeviceFacts(int number, String kind, String name, long memory) {}
