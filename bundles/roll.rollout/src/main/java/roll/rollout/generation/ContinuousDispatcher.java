package roll.rollout.generation;

import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.Generation;
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
  public void dispatch(SortedMap<EpisodeSlot, GenerationBarrier.PendingRequest> pending) {
    pending.values().forEach(this::send);
  }

  private void send(GenerationBarrier.PendingRequest ask) {
    CompletableFuture<Generation> answer = ask.answer();
    begun();
    CompletableFuture<List<Generation>> call = ask.by().generate(List.of(ask.request()));
    var _ =
        call.whenComplete(
            (generations, failure) -> {
              ended();
              tell(answer, generations, failure);
            });
    var _ =
        answer.whenComplete(
            (generation, failure) -> {
              if (answer.isCancelled()) {
                call.cancel(true);
              }
            });
  }

  private static void tell(
      CompletableFuture<Generation> answer,
      @Nullable List<Generation> generations,
      @Nullable Throwable failure) {
    if (failure != null) {
      answer.completeExceptionally(GenerationDispatcher.failure(failure));
    } else if (generations == null || generations.size() != 1) {
      answer.completeExceptionally(
          new IllegalStateException("one request was not answered by one response"));
    } else {
      answer.complete(generations.getFirst());
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
