package roll.bridge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.api.plugin.OneShotTask;

/**
 * What several users share, by what it is. It is kept for a while after the last use, since every
 * training step asks anew, and ended then.
 */
public final class SharedResources<K, V> {
  private final Duration patience;
  private final Function<K, V> made;
  private final Consumer<V> end;
  private final Map<K, Shared<V>> all = new HashMap<>();
  private boolean closed;

  /** Something, how many use it, and who waits for its end. */
  private static final class Shared<V> {
    private final V value;
    private int users;
    private long released;
    private @Nullable Thread watch;

    Shared(V value) {
      this.value = value;
    }
  }

  /**
   * Nothing yet.
   *
   * @param patience how long something is kept that nobody uses
   * @param made makes it
   * @param end ends it
   */
  public SharedResources(Duration patience, Function<K, V> made, Consumer<V> end) {
    this.patience = patience;
    this.made = made;
    this.end = end;
  }

  /** The one of {@code key}; who gets it calls {@link #release} once. */
  public synchronized V use(K key) {
    Shared<V> shared = all.computeIfAbsent(key, one -> new Shared<>(made.apply(one)));
    shared.users++;
    return shared.value;
  }

  /** Says that one user of that of {@code key} is done. */
  public synchronized void release(K key) {
    Shared<V> shared = all.get(key);
    if (shared == null || --shared.users > 0) {
      return;
    }
    shared.released = System.nanoTime();
    if (shared.watch == null) {
      Runnable watch = new OneShotTask(() -> watch(key, shared));
      shared.watch = Thread.ofVirtual().name("roll.bridge").start(watch);
    }
  }

  private void watch(K key, Shared<V> shared) {
    for (long left = left(key, shared); left > 0; left = left(key, shared)) {
      try {
        Thread.sleep(Duration.ofNanos(left));
      } catch (InterruptedException e) {
        // closed: at once, then
      }
    }
  }

  /** Nanoseconds until {@code shared} may end; it is ended, or used again, where there are none. */
  private long left(K key, Shared<V> shared) {
    synchronized (this) {
      long left = closed ? 0 : patience.toNanos() - (System.nanoTime() - shared.released);
      if (shared.users == 0 && left > 0) {
        return left;
      }
      shared.watch = null;
      if (shared.users > 0 || !all.remove(key, shared)) {
        return 0;
      }
    }
    end.accept(shared.value);
    return 0;
  }

  /** Ends what nobody uses, and all else with its last user. */
  public synchronized void close() {
    closed = true;
    for (Shared<V> shared : all.values()) {
      if (shared.watch != null) {
        shared.watch.interrupt();
      }
    }
  }

  /** Ends all, also what is used. */
  public void closeAll() {
    List<V> ended = new ArrayList<>();
    synchronized (this) {
      close();
      all.values().forEach(shared -> ended.add(shared.value));
      all.clear();
    }
    ended.forEach(end);
  }

  /** How many there are. */
  public synchronized int size() {
    return all.size();
  }
}
