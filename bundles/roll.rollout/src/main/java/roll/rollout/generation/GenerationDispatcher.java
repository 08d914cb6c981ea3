package roll.rollout.generation;

import java.util.SortedMap;
import java.util.concurrent.CompletionException;
import roll.api.option.UserException;
import roll.api.strategy.Generator;
import roll.rollout.supervise.EpisodeSlot;
import roll.rollout.supervise.ModelFailure;

/** Sends requests to the policy and to reward models. Confined to one thread. */
public sealed interface GenerationDispatcher permits BatchDispatcher, ContinuousDispatcher {
  /**
   * Returns the dispatcher for {@code policy}: continuous or in batches.
   *
   * @param timed whether requests are sent when they arrive, independently of other episodes
   */
  static GenerationDispatcher of(Generator policy, boolean timed) {
    return timed || policy.continuous() ? new ContinuousDispatcher() : new BatchDispatcher();
  }

  /**
   * Sends the pending requests {@code pending} to their models. Batches are complete on return;
   * continuous requests complete later.
   */
  void dispatch(SortedMap<EpisodeSlot, PendingRequest> pending) throws InterruptedException;

  /** Returns the nanoseconds that the first request waits for more requests to share its batch. */
  long linger();

  /** Returns the total nanoseconds with at least one response in progress. */
  long nanos();

  /**
   * Returns the exception to throw for a failed call: a {@link UserException} unchanged, anything
   * else as a {@link ModelFailure}.
   */
  static RuntimeException failure(Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    return cause instanceof UserException user ? user : new ModelFailure(cause);
  }
}
