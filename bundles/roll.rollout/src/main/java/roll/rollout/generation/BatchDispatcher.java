package roll.rollout.generation;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import roll.api.strategy.Generation;
import roll.api.strategy.Generator;
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
  public void dispatch(SortedMap<EpisodeSlot, GenerationBarrier.PendingRequest> pending)
      throws InterruptedException {
    long begun = System.nanoTime();
    Map<Generator, List<GenerationBarrier.PendingRequest>> byModel = new LinkedHashMap<>();
    pending
        .values()
        .forEach(ask -> byModel.computeIfAbsent(ask.by(), by -> new ArrayList<>()).add(ask));
    Map<Future<List<Generation>>, List<GenerationBarrier.PendingRequest>> calls =
        new LinkedHashMap<>();
    byModel.forEach(
        (by, some) ->
            calls.put(
                by.generate(some.stream().map(GenerationBarrier.PendingRequest::request).toList()),
                some));
    try {
      for (var call : calls.entrySet()) {
        answer(call.getKey().get(), call.getValue());
      }
    } catch (ExecutionException e) {
      throw GenerationDispatcher.failure(e.getCause() == null ? e : e.getCause());
    } finally {
      calls.keySet().forEach(call -> call.cancel(true)); // nothing where it has ended
    }
    last = System.nanoTime() - begun;
    nanos += last;
  }

  private static void answer(
      List<Generation> generations, List<GenerationBarrier.PendingRequest> pending) {
    if (generations.size() != pending.size()) {
      throw new IllegalStateException(
          pending.size() + " requests were answered by " + generations.size() + " responses");
    }
    Iterator<Generation> next = generations.iterator();
    pending.forEach(ask -> ask.answer().complete(next.next()));
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
