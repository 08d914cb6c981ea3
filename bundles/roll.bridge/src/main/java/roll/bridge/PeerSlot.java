package roll.bridge;

import com.google.gson.JsonObject;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.option.UserException;

/** Slot for one peer, which is restarted after it has ended. */
final class PeerSlot implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("roll.bridge");

  private final PeerSpec spec;
  private @Nullable Peer peer;
  private JsonObject greeting = new JsonObject();
  private int failures;
  private boolean closed;

  /** Creates a slot without starting a peer. */
  PeerSlot(PeerSpec spec) {
    this.spec = spec;
  }

  /**
   * Returns the peer, starting it if there is none or it has ended.
   *
   * @throws PeerException if it does not start
   * @throws UserException if it has exceeded its restarts
   */
  synchronized Peer peer() throws InterruptedException {
    Peer last = peer;
    if (last != null && last.alive()) {
      return last;
    }
    if (closed) {
      throw PeerException.ended(spec.place().shown() + " is no longer used");
    }
    if (last != null) {
      failures++;
      if (failures > spec.restarts()) {
        throw new UserException(
            "%s was started %d times, and ended each time before anything was finished; at last: %s"
                .formatted(spec.place().shown(), failures, last));
      }
      LOG.warn("{}: it is started anew", last);
    }
    Peer started = start();
    peer = started;
    return started;
  }

  private Peer start() throws InterruptedException {
    Peer started;
    try {
      started = Peer.connect(spec.place());
    } catch (IOException e) {
      throw PeerException.ended(
          spec.place().shown() + " cannot be started or reached: " + e.getMessage());
    }
    peer = started;
    try {
      greeting = started.ask(spec.hello(), spec.startTimeout());
      return started;
    } catch (PeerException | InterruptedException e) {
      started.close();
      throw e;
    }
  }

  /** Returns the answer of the peer to the first request. */
  synchronized JsonObject greeting() throws InterruptedException {
    Peer _ = peer();
    return greeting.deepCopy();
  }

  /** Resets the count of failures after a peer has finished something. */
  synchronized void finished() {
    failures = 0;
  }

  @Override
  public void close() {
    Peer last;
    synchronized (this) {
      closed = true;
      last = peer;
    }
    if (last != null) {
      last.close();
    }
  }
}
