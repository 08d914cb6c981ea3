package roll.reward.llm_judge;

import java.util.List;
import roll.api.data.Message;
import roll.api.reward.RewardModels;

/** Who judges. */
@FunctionalInterface
interface Judge extends AutoCloseable {
  /** What it answers to {@code prompt}; blocks until it is there. */
  String ask(String prompt, RewardModels models) throws InterruptedException;

  /** Frees what it holds; the standard does nothing. */
  @Override
  default void close() {}

  /**
   * The model {@code name} of the run. Nothing is remembered: what a model draws follows from who
   * asks, not from who asked first.
   */
  static Judge role(String name) {
    return (prompt, models) -> models.ask(name, List.of(new Message("user", prompt)));
  }
}
