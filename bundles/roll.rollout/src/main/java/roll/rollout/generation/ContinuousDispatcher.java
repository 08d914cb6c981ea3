package roll.rollout.generation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import roll.rollout.supervise.EpisodeSlot;

/**
 * Sends requests without waiting: each episode continues with its own response or failure. A model
 * with continuous batching gets each request as a separate call. Any other model has one call at a
 * time; requests that arrive meanwhile form the next batch. An episode that stops waiting cancels
 * its call.
 */
final class ContinuousDispatcher implements GenerationDispatcher {
  /** The requests that arrived during the running call of a model, by model. */
  private final Map<Object, List<PendingRequest>> busy = new HashMap<>();

  private int underWay;
  private long since;
  private long nanos;

  @Override
  public void dispatch(SortedMap<EpisodeSlot, PendingRequest> pending) {
    Map<Object, List<PendingRequest>> together = new LinkedHashMap<>();
    for (PendingRequest ask : pending.values()) {
      if (ask.continuous()) {
        send(List.of(ask), () -> {});
      } else {
        together.computeIfAbsent(ask.model(), _ -> new ArrayList<>()).add(ask);
      }
    }
    together.forEach(this::enqueue);
  }

  private void enqueue(Object model, List<PendingRequest> batch) {
    synchronized (this) {
      List<PendingRequest> next = busy.get(model);
      if (next != null) {
        next.addAll(batch);
        return;
      }
      busy.put(model, new ArrayList<>());
    }
    send(batch, () -> sendNext(model));
  }

  /** Sends the requests that arrived during the call of {@code model}, which has ended. */
  private void sendNext(Object model) {
    List<PendingRequest> next;
    synchronized (this) {
      next = busy.remove(model);
      if (next == null) {
        return;
      }
      next.removeIf(ask -> ask.answer().isDone());
      if (next.isEmpty()) {
        return;
      }
      busy.put(model, new ArrayList<>());
    }
    send(next, () -> sendNext(model));
  }

  /** Sends {@code batch} to the model as one call. */
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

  /** Returns 0: waiting for a larger batch does not speed up any response. */
  @Override
  public long linger() {
    return 0;
  }

  @Override
  public synchronized long nanos() {
    return underWay == 0 ? nanos : nanos + System.nanoTime() - since;
  }
}
