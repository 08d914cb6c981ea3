package roll.api.strategy;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Bytes that a session holds on one device.
 *
 * @param device its number; -1 where the session computes on the CPU as a whole
 * @param bytes by what they are held for; kinds that are not held are absent
 */
public record DeviceMemory(int device, Map<StateKind, Long> bytes) {
  /** Bytes that do not change, in the order of the kinds. */
  public DeviceMemory {
    EnumMap<StateKind, Long> ordered = new EnumMap<>(StateKind.class);
    bytes.forEach(
        (kind, count) -> {
          if (count != 0) {
            ordered.put(kind, count);
          }
        });
    bytes = Collections.unmodifiableMap(ordered);
  }

  /** Bytes of the device's own memory: all but what is offloaded. */
  public long resident() {
    return bytes.entrySet().stream()
        .filter(entry -> entry.getKey() != StateKind.OFFLOADED)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
