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
 * Resources that several users share by key. A resource is kept for a while after its last use,
 * since every training step uses it again, and then closed.
 */
public final class SharedResources<K, V> {
  private final Duration patience;
  private final Function<K, V> made;
  private final Consumer<V> end;
  private final Map<K, Shared<V>> all = new HashMap<>();
  private boolean closed;

  /** A resource with its number of users, and the thread that will close it. */
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
   * Creates an empty set.
   *
   * @param patience time for which an unused resource is kept
   * @param made creates a resource
   * @param end closes a resource
   */
  public SharedResources(Duration patience, Function<K, V> made, Consumer<V> end) {
    this.patience = patience;
    this.made = made;
    this.end = end;
  }

  /** Returns the resource of {@code key}; the caller must call {@link #release} once. */
  public synchronized V use(K key) {
    Shared<V> shared = all.computeIfAbsent(key, one -> new Shared<>(made.apply(one)));
    shared.users++;
    return shared.value;
  }

  /** Ends one use of the resource of {@code key}. */
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
        // closed: end immediately
      }
    }
  }

  /**
   * Returns the nanoseconds until {@code shared} is to be closed; 0 after it was closed or is used
   * again.
   */
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

  /** Closes unused resources now, and others after their last use. */
  public synchronized void close() {
    closed = true;
    for (Shared<V> shared : all.values()) {
      if (shared.watch != null) {
        shared.watch.interrupt();
      }
    }
  }

  /** Closes all resources, including those in use. */
  public void closeAll() {
    List<V> ended = new ArrayList<>();
    synchronized (this) {
      close();
      all.values().forEach(shared -> ended.add(shared.value));
      all.clear();
    }
    ended.forEach(end);
  }

  /** Number of shared resources that are open. */
  public synchronized int size() {
    return all.size();
  }
}
