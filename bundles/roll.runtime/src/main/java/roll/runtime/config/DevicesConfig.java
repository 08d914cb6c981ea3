package roll.runtime.config;

/**
 * The devices into which the machine is divided.
 *
 * @param count how many, or 0 for as many as the machine has cores ({@code num_gpus_per_node} ×
 *     {@code num_nodes})
 * @param memory bytes that a device has, or 0 for its share of the machine's memory ({@code
 *     device_memory_gb})
 */
public record DevicesConfig(int count, long memory) {}
