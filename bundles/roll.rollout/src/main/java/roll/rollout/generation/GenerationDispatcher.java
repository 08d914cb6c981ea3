package roll.rollout.generation;

import java.util.SortedMap;
import java.util.concurrent.CompletionException;
import roll.api.option.UserException;
import roll.api.strategy.Generator;
import roll.rollout.supervise.EpisodeSlot;
import roll.rollout.supervise.ModelFailure;

/** Sends requests to the policy and to reward models. Used by one thread. */
public sealed interface GenerationDispatcher permits BatchDispatcher, ContinuousDispatcher {
  /**
   * The dispatcher that fits {@code policy}: continuous, or in batches.
   *
   * @param timed whether programs play that are answered when they ask, whatever others do
   */
  static GenerationDispatcher of(Generator policy, boolean timed) {
    return timed || policy.continuous() ? new ContinuousDispatcher() : new BatchDispatcher();
  }

  /**
   * Sends {@code pending}; a batch is complete when this returns, continuous requests complete
   * later.
   */
  void dispatch(SortedMap<EpisodeSlot, PendingRequest> pending) throws InterruptedException;

  /** How many nanoseconds the first request should wait for others, to share a batch with them. */
  long linger();

  /** Nanoseconds so far in which responses were in progress. */
  long nanos();

  /** What to throw where a call failed: the user's mistake as it is, anything else as a failure. */
  static RuntimeException failure(Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    return cause instanceof UserException user ? user : new ModelFailure(cause);
  }
}
