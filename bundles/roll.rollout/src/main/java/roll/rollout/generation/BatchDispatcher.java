package roll.rollout.generation;

import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ExecutionException;
import roll.rollout.supervise.EpisodeSlot;

/** Sends all requests for a model as one batch, and waits for all models. */
public final class BatchDispatcher implements GenerationDispatcher {
  /** Divisor of the last batch's duration: the maximum wait for more requests. */
  private static final int LINGER = 10;

  private static final long LONGEST_LINGER = 100_000_000;

  private long nanos;
  private long last;

  /**
   * Sends {@code pending}, in order, as one batch per model, and waits for the responses.
   *
   * @throws roll.api.option.UserException if a model rejects a request
   * @throws IllegalStateException if a batch fails
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
      calls.forEach(call -> call.result().cancel(true)); // no effect on completed calls
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
