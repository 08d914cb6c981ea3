package roll.bridge;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Peers of one plugin by their specification, shared by all its runs and episodes. Peers without a
 * session are kept for a while; all end with the plugin.
 */
public final class PeerPools implements AutoCloseable {
  private final SharedResources<PeerSpec, PeerPool> pools;
  private final AtomicLong sessions = new AtomicLong();
  private final String prefix;
  private volatile boolean closed;

  /** Creates an empty set; peers are kept for {@code patience} after their last use. */
  public PeerPools(Duration patience) {
    pools = new SharedResources<>(patience, PeerPool::new, PeerPool::close);
    prefix =
        Long.toString(ProcessHandle.current().pid(), Character.MAX_RADIX)
            + "-"
            + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX)
            + "-";
  }

  /**
   * Returns the answer of a peer of {@code spec} to the first request.
   *
   * @throws PeerException if it cannot be started
   */
  public JsonObject greeting(PeerSpec spec) {
    PeerPool pool = use(spec);
    try {
      return pool.greeting();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw PeerException.ended("interrupted while " + spec.place().shown() + " started");
    } finally {
      pools.release(spec);
    }
  }

  /**
   * Opens a session with a peer of {@code spec}.
   *
   * @throws PeerException if it cannot be started
   * @throws roll.api.option.UserException if it has exceeded its restarts
   */
  public PeerSession open(PeerSpec spec) {
    PeerPool pool = use(spec);
    boolean opened = false;
    try {
      PeerSession session = pool.open(name(), () -> pools.release(spec));
      opened = true;
      return session;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw PeerException.ended("interrupted while " + spec.place().shown() + " started");
    } finally {
      if (!opened) {
        pools.release(spec);
      }
    }
  }

  private String name() {
    return prefix + sessions.incrementAndGet();
  }

  private PeerPool use(PeerSpec spec) {
    PeerPool pool = pools.use(spec);
    if (closed) {
      pools.release(spec);
      throw PeerException.ended(spec.place().shown() + " is no longer used");
    }
    return pool;
  }

  /** Number of peer pools. */
  int size() {
    return pools.size();
  }

  /** Ends all peers, including those with sessions. */
  @Override
  public void close() {
    closed = true;
    pools.closeAll();
  }
}
