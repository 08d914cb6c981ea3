package roll.rollout.generation;

import roll.api.scoring.SequenceScorer;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;

/** A request that an episode waits for. */
public sealed interface PendingRequest {
  /**
   * Returns the future that the dispatcher completes and that an episode cancels when it stops
   * waiting.
   */
  PendingAnswer<?> answer();

  /** Returns the model of the request. */
  Object model();

  /** Returns whether the model accepts requests while others run. */
  boolean continuous();

  /**
   * A request for a response of the policy or of a reward model.
   *
   * @param model the model that generates it
   */
  record Response(Generator model, GenerationRequest request, PendingAnswer<Generation> answer)
      implements PendingRequest {
    @Override
    public boolean continuous() {
      return model.continuous();
    }
  }

  /**
   * A request for the score of a sequence.
   *
   * @param model the model that scores it
   * @param sequence its tokens
   */
  record Score(SequenceScorer model, int[] sequence, PendingAnswer<Double> answer)
      implements PendingRequest {
    @Override
    public boolean continuous() {
      return false;
    }
  }
}
