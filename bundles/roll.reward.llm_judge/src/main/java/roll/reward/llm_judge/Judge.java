package roll.reward.llm_judge;

import java.util.List;
import roll.api.data.Message;
import roll.api.reward.RewardModels;

/** A language model that judges episodes. */
@FunctionalInterface
interface Judge extends AutoCloseable {
  /** Returns the model's answer to {@code prompt}; blocks until it is complete. */
  String ask(String prompt, RewardModels models) throws InterruptedException;

  /** Releases resources; does nothing by default. */
  @Override
  default void close() {}

  /**
   * Returns the judge that is the run's model {@code name}. Answers are not cached, since sampling
   * depends on the episode that asks.
   */
  static Judge role(String name) {
    return (prompt, models) -> models.ask(name, List.of(new Message("user", prompt)));
  }
}
