package roll.torch;

import java.util.EnumMap;
import java.util.Map;
import roll.api.strategy.StateKind;

/** Bytes that a session holds now, and the most it held since that was asked. Thread-safe. */
public final class Peaks {
  private final EnumMap<StateKind, Long> now = new EnumMap<>(StateKind.class);
  private final EnumMap<StateKind, Long> most = new EnumMap<>(StateKind.class);

  /** From now on {@code bytes} of {@code kind} are held. */
  public synchronized void set(StateKind kind, long bytes) {
    now.put(kind, bytes);
    most.merge(kind, bytes, Math::max);
  }

  /** From now on so many bytes more of {@code kind} are held, or less if negative. */
  public synchronized void add(StateKind kind, long bytes) {
    set(kind, now.getOrDefault(kind, 0L) + bytes);
  }

  /** The most since the last call of this, by kind. */
  public synchronized Map<StateKind, Long> take() {
    Map<StateKind, Long> taken = new EnumMap<>(most);
    most.putAll(now);
    return taken;
  }
}
