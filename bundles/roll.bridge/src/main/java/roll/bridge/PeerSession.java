package roll.bridge;

import com.google.gson.JsonObject;
import java.time.Duration;

/**
 * Requests that belong together, such as those of an episode: all go to the same peer, and where it
 * has ended they are not answered. Used by one thread at a time.
 */
public final class PeerSession implements AutoCloseable {
  private final String name;
  private final PeerSlot slot;
  private final Peer peer;
  private final Duration timeout;
  private final Runnable end;
  private boolean closed;

  PeerSession(String name, PeerSlot slot, Peer peer, Duration timeout, Runnable end) {
    this.name = name;
    this.slot = slot;
    this.peer = peer;
    this.timeout = timeout;
    this.end = end;
  }

  /** A name that no other session has, of this process or another one. */
  public String name() {
    return name;
  }

  /** Sends {@code request}, without waiting for the answer. */
  public void tell(JsonObject request) {
    peer.tell(request);
  }

  /**
   * The answer to {@code request}, a JSON object that is given an id; those of several sessions
   * that are due at once go out together.
   *
   * @throws PeerException if there is none, or the peer refuses the request; interrupted, too
   */
  public JsonObject ask(JsonObject request) {
    try {
      return peer.ask(request, timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw PeerException.ended("interrupted while " + peer + " was asked");
    }
  }

  /** Says that what was asked for is done: its peer is of use. */
  public void finished() {
    slot.finished();
  }

  /** Whether its peer still runs. */
  public boolean alive() {
    return peer.alive();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      end.run();
    }
  }
}
