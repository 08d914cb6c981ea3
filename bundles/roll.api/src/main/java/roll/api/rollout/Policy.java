package roll.api.rollout;

import roll.api.strategy.Generation;
import roll.api.strategy.Sampling;

/** Writes the response of one turn. */
@FunctionalInterface
public interface Policy {
  /**
   * The response to {@code prompt}; blocks until it is there.
   *
   * @param prompt everything the model sees
   * @param sampling how the response is drawn
   * @param turn number of the turn, from 0
   */
  Generation respond(Prompt prompt, Sampling sampling, int turn) throws InterruptedException;
}
