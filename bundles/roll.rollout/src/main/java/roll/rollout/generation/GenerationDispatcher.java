package roll.rollout.generation;

import java.util.SortedMap;
import java.util.concurrent.CompletionException;
import roll.api.option.UserException;
import roll.api.strategy.Generator;
import roll.rollout.supervise.EpisodeSlot;

/** Has the policy, and models that rewards ask, answer. Used by one thread. */
public sealed interface GenerationDispatcher permits BatchDispatcher, ContinuousDispatcher {
  /** Responses, asked for as {@code policy} likes best. */
  static GenerationDispatcher of(Generator policy) {
    return policy.continuous() ? new ContinuousDispatcher() : new BatchDispatcher();
  }

  /** Has {@code pending} answered: when this returns, or by and by. */
  void dispatch(SortedMap<EpisodeSlot, GenerationBarrier.PendingRequest> pending)
      throws InterruptedException;

  /**
   * For so many nanoseconds whoever asked first should wait for others, to be answered with them.
   */
  long linger();

  /** Nanoseconds so far in which responses were under way. */
  long nanos();

  /** What to throw where a call failed: the user's mistake as it is, anything else as a failure. */
  static RuntimeException failure(Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    return cause instanceof UserException user
        ? user
        : new IllegalStateException("generation failed: " + cause, cause);
  }
}
