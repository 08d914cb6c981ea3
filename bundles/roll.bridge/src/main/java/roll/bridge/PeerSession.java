package roll.bridge;

import com.google.gson.JsonObject;
import java.time.Duration;

/**
 * Session for related requests, such as those of an episode, with one peer; it fails when the peer
 * ends. Not thread-safe.
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

  /** Name that is unique across processes. */
  public String name() {
    return name;
  }

  /** Sends {@code request} without waiting for the answer. */
  public void tell(JsonObject request) {
    peer.tell(request);
  }

  /**
   * Returns the answer to {@code request}, to which an id is added. Concurrent requests of several
   * sessions are sent together.
   *
   * @throws PeerException if there is no answer, the peer refuses the request, or the thread is
   *     interrupted
   */
  public JsonObject ask(JsonObject request) {
    try {
      return peer.ask(request, timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw PeerException.ended("interrupted while " + peer + " was asked");
    }
  }

  /** Reports that work is finished, which resets the restarts of the peer. */
  public void finished() {
    slot.finished();
  }

  /** Whether the peer of the session is running. */
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
