package roll.api.memory;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Bytes that a session holds on one device.
 *
 * @param device its number; -1 where the session computes on the CPU as a whole
 * @param bytes by kind; kinds without bytes are absent
 */
public record SessionMemory(int device, Map<MemoryKind, Long> bytes) {
  private static final Set<MemoryKind> NOT_COUNTED =
      EnumSet.of(MemoryKind.OFFLOADED, MemoryKind.RESERVED);

  /** Copies the bytes in the order of the kinds. */
  public SessionMemory {
    EnumMap<MemoryKind, Long> ordered = new EnumMap<>(MemoryKind.class);
    bytes.forEach(
        (kind, count) -> {
          if (count != 0) {
            ordered.put(kind, count);
          }
        });
    bytes = Collections.unmodifiableMap(ordered);
  }

  /** The same bytes on each of {@code devices}, or on the CPU if there are none. */
  public static List<SessionMemory> each(List<Integer> devices, Map<MemoryKind, Long> bytes) {
    List<Integer> all = devices.isEmpty() ? List.of(-1) : devices;
    return all.stream().map(device -> new SessionMemory(device, bytes)).toList();
  }

  /**
   * The bytes of a session that is sharded equally over {@code devices}, or entirely on the CPU if
   * there are none.
   */
  public static List<SessionMemory> spread(List<Integer> devices, Map<MemoryKind, Long> bytes) {
    EnumMap<MemoryKind, Long> part = new EnumMap<>(MemoryKind.class);
    bytes.forEach((kind, all) -> part.put(kind, Math.ceilDiv(all, Math.max(1, devices.size()))));
    return each(devices, part);
  }

  /**
   * Bytes in the device's memory: all kinds but {@link MemoryKind#OFFLOADED} and {@link
   * MemoryKind#RESERVED}.
   */
  public long resident() {
    return bytes.entrySet().stream()
        .filter(entry -> !NOT_COUNTED.contains(entry.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
