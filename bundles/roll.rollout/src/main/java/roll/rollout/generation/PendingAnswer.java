package roll.rollout.generation;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import roll.rollout.supervise.EpisodeSlot;
import roll.runtime.trace.Span;

/** The future answer to a request, with the times for its span. */
public final class PendingAnswer<A> extends CompletableFuture<A> {
  private final long begun = System.nanoTime();
  private volatile long sent;
  private volatile @Nullable EpisodeSlot last;

  /** Notes the episode whose request completed the batch. */
  void completedBy(@Nullable EpisodeSlot slot) {
    last = slot;
  }

  /** Notes that the request is sent to its model. */
  void sent() {
    sent = System.nanoTime();
  }

  /** Adds how long the request of {@code asker} was queued and processed to its span. */
  void record(Span span, EpisodeSlot asker) {
    long dispatched = sent;
    if (span == Span.none() || dispatched == 0) {
      return;
    }
    EpisodeSlot waited = last;
    if (waited != null && !waited.equals(asker)) {
      span.set(Span.WAITED_FOR, waited.key().id());
    }
    span.add("queue", begun, dispatched);
    span.add("generate", dispatched, System.nanoTime());
  }
}
