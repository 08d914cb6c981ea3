package roll.bridge;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import roll.api.plugin.Errand;

/**
 * The peers that one plugin uses, by what they are: all its runs and episodes share them. Peers
 * that nobody has a session with are kept for a while, since every training step asks anew; all end
 * with the plugin.
 */
public final class PeerPools implements AutoCloseable {
  private final Duration patience;
  private final Map<PeerSpec, PeerPool> pools = new HashMap<>();
  private final Map<PeerPool, Thread> watches = new HashMap<>();
  private final AtomicLong sessions = new AtomicLong();
  private final String prefix;
  private boolean closed;

  /** None yet; peers are kept for {@code patience} after the last use. */
  public PeerPools(Duration patience) {
    this.patience = patience;
    prefix =
        Long.toString(ProcessHandle.current().pid(), Character.MAX_RADIX)
            + "-"
            + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX)
            + "-";
  }

  /**
   * What a peer of {@code spec} answers to the first request.
   *
   * @throws PeerException if none can be started
   */
  public JsonObject greeting(PeerSpec spec) {
    PeerPool pool = use(spec);
    try {
      return pool.greeting();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw PeerException.ended("interrupted while " + spec.place().shown() + " started");
    } finally {
      release(spec, pool);
    }
  }

  /**
   * A session with a peer of {@code spec}; to be closed.
   *
   * @throws PeerException if it cannot be started
   * @throws roll.api.option.UserException if it ended too often
   */
  public PeerChannel open(PeerSpec spec) {
    PeerPool pool = use(spec);
    boolean opened = false;
    try {
      PeerChannel session = pool.open(name(), () -> release(spec, pool));
      opened = true;
      return session;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw PeerException.ended("interrupted while " + spec.place().shown() + " started");
    } finally {
      if (!opened) {
        release(spec, pool);
      }
    }
  }

  private String name() {
    return prefix + sessions.incrementAndGet();
  }

  private synchronized PeerPool use(PeerSpec spec) {
    if (closed) {
      throw PeerException.ended(spec.place().shown() + " is no longer used");
    }
    PeerPool pool = pools.computeIfAbsent(spec, PeerPool::new);
    int _ = pool.users(1);
    return pool;
  }

  private synchronized void release(PeerSpec spec, PeerPool pool) {
    if (pool.users(-1) == 0 && !closed && !watches.containsKey(pool)) {
      watches.put(
          pool,
          Thread.ofVirtual().name("roll.bridge").start(new Errand(() -> endLater(spec, pool))));
    }
  }

  private void endLater(PeerSpec spec, PeerPool pool) {
    try {
      for (long left = left(spec, pool); left > 0; left = left(spec, pool)) {
        Thread.sleep(Duration.ofNanos(left));
      }
    } catch (InterruptedException e) {
      return;
    }
    synchronized (this) {
      if (pools.get(spec) == pool) {
        return; // used again
      }
    }
    pool.close();
  }

  /** Nanoseconds until {@code pool} may end; none where it is used, and where it is taken out. */
  private synchronized long left(PeerSpec spec, PeerPool pool) {
    long left = pool.users() > 0 ? 0 : patience.toNanos() - pool.idle();
    if (left <= 0) {
      watches.remove(pool);
      if (pool.users() == 0) {
        pools.remove(spec, pool);
      }
    }
    return left;
  }

  /** How many pools there are. */
  synchronized int size() {
    return pools.size();
  }

  /** Ends all peers, also those with sessions. */
  @Override
  public void close() {
    List<PeerPool> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(pools.values());
      pools.clear();
      watches.values().forEach(Thread::interrupt);
      watches.clear();
    }
    all.forEach(PeerPool::close);
  }
}
