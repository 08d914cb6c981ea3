package roll.bridge;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Pool of equal peers of one {@link PeerSpec}; a new session uses the one with the fewest sessions.
 */
final class PeerPool implements AutoCloseable {
  private final PeerSpec spec;
  private final List<PeerSlot> slots;
  private final int[] sessions;

  /** Creates a pool without starting a peer. */
  PeerPool(PeerSpec spec) {
    this.spec = spec;
    slots = IntStream.range(0, spec.peers()).mapToObj(_ -> new PeerSlot(spec)).toList();
    sessions = new int[spec.peers()];
  }

  /** Returns the answer of the first peer to the first request, starting it if necessary. */
  JsonObject greeting() throws InterruptedException {
    slots.getFirst().finished(); // a new caller gets a new attempt
    return slots.getFirst().greeting();
  }

  /**
   * Opens a session with one of the peers.
   *
   * @param name unique name
   * @param end runs when it is closed
   * @throws PeerException if the peer does not start
   */
  PeerSession open(String name, Runnable end) throws InterruptedException {
    int chosen = take();
    boolean opened = false;
    try {
      PeerSlot slot = slots.get(chosen);
      PeerSession session =
          new PeerSession(
              name,
              slot,
              slot.peer(),
              spec.timeout(),
              () -> {
                giveBack(chosen);
                end.run();
              });
      opened = true;
      return session;
    } finally {
      if (!opened) {
        giveBack(chosen);
      }
    }
  }

  private synchronized int take() {
    int fewest = 0;
    for (int i = 1; i < sessions.length; i++) {
      fewest = sessions[i] < sessions[fewest] ? i : fewest;
    }
    sessions[fewest]++;
    return fewest;
  }

  private synchronized void giveBack(int slot) {
    sessions[slot]--;
  }

  /** Ends all peers of the pool concurrently. */
  @Override
  public void close() {
    List<Thread> ends = new ArrayList<>();
    slots.forEach(slot -> ends.add(Thread.ofPlatform().daemon().start(slot::close)));
    try {
      for (Thread end : ends) {
        end.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
