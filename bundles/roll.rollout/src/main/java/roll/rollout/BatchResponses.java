package roll.rollout;

import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import roll.api.strategy.Generation;
import roll.api.strategy.Generator;

/** Has all that is asked at a time answered by one call, and waits for it. */
final class BatchResponses implements Responses {
  /** Waiting for others may take this part of the time that an answer takes. */
  private static final int LINGER = 10;

  private static final long LONGEST_LINGER = 100_000_000;

  private final Generator policy;
  private long nanos;
  private long last;

  /** Responses of {@code policy}. */
  BatchResponses(Generator policy) {
    this.policy = policy;
  }

  /**
   * Has {@code asks} answered by one call, and waits for it.
   *
   * @throws roll.api.config.UserException if the policy cannot answer one of them
   * @throws IllegalStateException if it fails
   */
  @Override
  public void give(SortedMap<Seat, Wave.Ask> asks) throws InterruptedException {
    long begun = System.nanoTime();
    Future<List<Generation>> pending =
        policy.generate(asks.values().stream().map(Wave.Ask::request).toList());
    try {
      List<Generation> generations = pending.get();
      if (generations.size() != asks.size()) {
        throw new IllegalStateException(
            asks.size() + " requests were answered by " + generations.size() + " responses");
      }
      Iterator<Generation> next = generations.iterator();
      asks.values().forEach(ask -> ask.answer().complete(next.next()));
    } catch (ExecutionException e) {
      throw Responses.failure(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      pending.cancel(true);
      throw e;
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
