package roll.rollout.generation;

import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ExecutionException;
import roll.rollout.supervise.EpisodeSlot;

/** Sends all requests to a model as one call, and waits for all models. */
public final class BatchDispatcher implements GenerationDispatcher {
  /** Waiting for others may take this part of the time that an answer takes. */
  private static final int LINGER = 10;

  private static final long LONGEST_LINGER = 100_000_000;

  private long nanos;
  private long last;

  /**
   * Has {@code pending} answered, those to one model by one call in their order, and waits.
   *
   * @throws roll.api.option.UserException if a model cannot answer one of them
   * @throws IllegalStateException if one fails
   */
  @Override
  public void dispatch(SortedMap<EpisodeSlot, PendingRequest> pending) throws InterruptedException {
    long begun = System.nanoTime();
    List<ModelCall<?>> calls = ModelCall.begin(pending.values());
    try {
      for (ModelCall<?> call : calls) {
        call.await();
      }
    } catch (ExecutionException e) {
      throw GenerationDispatcher.failure(e.getCause() == null ? e : e.getCause());
    } finally {
      calls.forEach(call -> call.result().cancel(true)); // nothing where it has ended
    }
    last = System.nanoTime() - begun;
    nanos += last;
  }

  @Override
  public long linger() {
    return Math.min(last / LINGER, LONGEST_LINGER);
  }

  @Override
  public long nanos() {
    return nanos;
  }
}
