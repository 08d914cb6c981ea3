package roll.rollout.generation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import roll.rollout.supervise.EpisodeSlot;

/**
 * Waits for no response: each episode continues with its own, or ends with its own failure. A model
 * that batches continuously gets each request as a call of its own; any other has one call at a
 * time, and what it is asked meanwhile is the next one. An episode that stops waiting cancels its
 * call.
 */
final class ContinuousDispatcher implements GenerationDispatcher {
  /** By model that has a call: what is asked of it meanwhile. */
  private final Map<Object, List<PendingRequest>> busy = new HashMap<>();

  private int underWay;
  private long since;
  private long nanos;

  @Override
  public void dispatch(SortedMap<EpisodeSlot, PendingRequest> pending) {
    Map<Object, List<PendingRequest>> together = new LinkedHashMap<>();
    for (PendingRequest ask : pending.values()) {
      if (ask.joins()) {
        send(List.of(ask), () -> {});
      } else {
        together.computeIfAbsent(ask.by(), by -> new ArrayList<>()).add(ask);
      }
    }
    together.forEach(this::enqueue);
  }

  private void enqueue(Object by, List<PendingRequest> batch) {
    synchronized (this) {
      List<PendingRequest> next = busy.get(by);
      if (next != null) {
        next.addAll(batch);
        return;
      }
      busy.put(by, new ArrayList<>());
    }
    send(batch, () -> sendNext(by));
  }

  /** The call of {@code by} has ended. */
  private void sendNext(Object by) {
    List<PendingRequest> next;
    synchronized (this) {
      next = busy.remove(by);
      if (next == null) {
        return;
      }
      next.removeIf(ask -> ask.answer().isDone());
      if (next.isEmpty()) {
        return;
      }
      busy.put(by, new ArrayList<>());
    }
    send(next, () -> sendNext(by));
  }

  /** Sends {@code batch}, of one model, as one call. */
  private void send(List<PendingRequest> batch, Runnable then) {
    begun();
    Runnable whenEnded =
        () -> {
          ended();
          then.run();
        };
    try {
      ModelCall.begin(batch).forEach(call -> call.forward(whenEnded));
    } catch (RuntimeException refusal) {
      RuntimeException failure = GenerationDispatcher.failure(refusal);
      batch.forEach(ask -> ask.answer().completeExceptionally(failure));
      whenEnded.run();
    }
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
