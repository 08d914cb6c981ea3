package roll.rollout.generation;

import java.util.concurrent.CompletableFuture;
import roll.api.scoring.SequenceScorer;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;

/** What an episode waits for. */
public sealed interface PendingRequest {
  /** Completed by whoever sends the request; canceled by an episode that stops waiting. */
  CompletableFuture<?> answer();

  /** The model that is asked. */
  Object by();

  /** Whether the model takes requests while others run. */
  boolean joins();

  /**
   * A response.
   *
   * @param by the model that writes it
   */
  record Response(Generator by, GenerationRequest request, CompletableFuture<Generation> answer)
      implements PendingRequest {
    @Override
    public boolean joins() {
      return by.continuous();
    }
  }

  /**
   * The score of a sequence.
   *
   * @param by the model that gives it
   * @param sequence its tokens
   */
  record Score(SequenceScorer by, int[] sequence, CompletableFuture<Double> answer)
      implements PendingRequest {
    @Override
    public boolean joins() {
      return false;
    }
  }
}
