package roll.rollout;

import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import roll.api.config.UserException;
import roll.api.strategy.Generation;
import roll.api.strategy.Generator;

/** Gets the responses to what episodes asked. Used by one thread. */
final class Responses {
  private final Generator policy;
  private long nanos;
  private long last;

  /** Responses of {@code policy}. */
  Responses(Generator policy) {
    this.policy = policy;
  }

  /**
   * Has {@code asks} answered by one call, and waits for it.
   *
   * @throws UserException if the policy cannot answer one of them
   * @throws IllegalStateException if it fails
   */
  void give(SortedMap<Seat, Wave.Ask> asks) throws InterruptedException {
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
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw cause instanceof UserException user
          ? user
          : new IllegalStateException("generation failed: " + cause, cause);
    } catch (InterruptedException e) {
      pending.cancel(true);
      throw e;
    }
    last = System.nanoTime() - begun;
    nanos += last;
  }

  /** Nanoseconds spent waiting for responses. */
  long nanos() {
    return nanos;
  }

  /** Nanoseconds that the last call took. */
  long last() {
    return last;
  }
}
