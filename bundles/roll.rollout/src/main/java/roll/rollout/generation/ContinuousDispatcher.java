package roll.rollout.generation;

import java.util.List;
import java.util.SortedMap;
import roll.rollout.supervise.EpisodeSlot;

/**
 * Sends each request as a call of its own and waits for none: many calls are in flight, and each
 * episode continues with its own response or ends with its own failure. An episode that stops
 * waiting cancels its call.
 */
final class ContinuousDispatcher implements GenerationDispatcher {
  private int underWay;
  private long since;
  private long nanos;

  @Override
  public void dispatch(SortedMap<EpisodeSlot, PendingRequest> pending) {
    pending.values().forEach(this::send);
  }

  private void send(PendingRequest ask) {
    begun();
    ModelCall.begin(List.of(ask)).forEach(call -> call.forward(this::ended));
  }

  private synchronized void begun() {
    if (underWay++ == 0) {
      since = System.nanoTime();
    }
  }

  private synchronized void ended() {
    if (--underWay == 0) {
      nanos += System.nanoTime() - since;
    }
  }

  /** Waiting for others makes no response come earlier. */
  @Override
  public long linger() {
    return 0;
  }

  @Override
  public synchronized long nanos() {
    return underWay == 0 ? nanos : nanos + System.nanoTime() - since;
  }
}
