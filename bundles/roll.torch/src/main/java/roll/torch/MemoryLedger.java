package roll.torch;

import java.util.EnumMap;
import java.util.Map;
import roll.api.memory.DeviceMemory;
import roll.api.memory.MemoryKind;

/**
 * Counts the bytes that are held on a device, by what for, and the most there ever were at once.
 * Who allocates tells it. May be used from any thread.
 */
public final class MemoryLedger {
  private final Map<MemoryKind, Long> held = new EnumMap<>(MemoryKind.class);
  private Map<MemoryKind, Long> most = new EnumMap<>(MemoryKind.class);

  /** Nothing is held. */
  public MemoryLedger() {}

  /** {@code bytes} more are held; fewer where they are negative. */
  public synchronized void add(MemoryKind kind, long bytes) {
    held.merge(kind, bytes, Long::sum);
    if (resident(held) > resident(most)) {
      most = new EnumMap<>(held);
    }
  }

  /** From now on {@code bytes} of {@code kind} are held. */
  public synchronized void set(MemoryKind kind, long bytes) {
    add(kind, bytes - held.getOrDefault(kind, 0L));
  }

  /** What was held when most was, since the last call of this. */
  public synchronized DeviceMemory peak(int device) {
    DeviceMemory peak = new DeviceMemory(device, most);
    most = new EnumMap<>(held);
    return peak;
  }

  private static long resident(Map<MemoryKind, Long> bytes) {
    return new DeviceMemory(0, bytes).resident();
  }
}
