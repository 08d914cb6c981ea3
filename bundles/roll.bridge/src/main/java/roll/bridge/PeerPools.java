package roll.bridge;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The peers that one plugin uses, by what they are: all its runs and episodes share them. Peers
 * that nobody has a session with are kept for a while; all end with the plugin.
 */
public final class PeerPools implements AutoCloseable {
  private final SharedResources<PeerSpec, PeerPool> pools;
  private final AtomicLong sessions = new AtomicLong();
  private final String prefix;
  private volatile boolean closed;

  /** None yet; peers are kept for {@code patience} after the last use. */
  public PeerPools(Duration patience) {
    pools = new SharedResources<>(patience, PeerPool::new, PeerPool::close);
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
      pools.release(spec);
    }
  }

  /**
   * A session with a peer of {@code spec}; to be closed.
   *
   * @throws PeerException if it cannot be started
   * @throws roll.api.option.UserException if it ended too often
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

  /** How many pools there are. */
  int size() {
    return pools.size();
  }

  /** Ends all peers, also those with sessions. */
  @Override
  public void close() {
    closed = true;
    pools.closeAll();
  }
}
