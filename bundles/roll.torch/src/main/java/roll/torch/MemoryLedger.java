package roll.torch;

import java.util.EnumMap;
import java.util.Map;
import roll.api.memory.MemoryKind;
import roll.api.memory.SessionMemory;

/**
 * Counts the bytes allocated on a device, by kind, and their peak. Code that allocates reports to
 * it. For use from any thread.
 */
public final class MemoryLedger {
  private final Map<MemoryKind, Long> held = new EnumMap<>(MemoryKind.class);
  private Map<MemoryKind, Long> most = new EnumMap<>(MemoryKind.class);

  /** Creates an empty ledger. */
  public MemoryLedger() {}

  /** Adds {@code bytes}, which may be negative. */
  public synchronized void add(MemoryKind kind, long bytes) {
    held.merge(kind, bytes, Long::sum);
    if (resident(held) > resident(most)) {
      most = new EnumMap<>(held);
    }
  }

  /** Sets the counted bytes of the memory kind {@code kind}. */
  public synchronized void set(MemoryKind kind, long bytes) {
    add(kind, bytes - held.getOrDefault(kind, 0L));
  }

  /** Returns the bytes by kind at the peak since the previous call. */
  public synchronized SessionMemory peak(int device) {
    SessionMemory peak = new SessionMemory(device, most);
    most = new EnumMap<>(held);
    return peak;
  }

  private static long resident(Map<MemoryKind, Long> bytes) {
    return new SessionMemory(0, bytes).resident();
  }
}
