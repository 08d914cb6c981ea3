package roll.rollout.prompt;

import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.env.Observation;
import roll.api.env.Step;
import roll.api.rollout.Prompt;
import roll.api.strategy.Generation;

/** Builds the prompts of an episode, turn by turn, and its samples. */
public interface PromptBuilder {
  /** Returns the prompt of a turn, or null if it leaves no room for a response. */
  @Nullable Prompt prompt(Observation observation, int turn);

  /**
   * Adds the response to the last prompt.
   *
   * @param text the response without special tokens
   */
  void answered(Generation response, String text, int turn);

  /** Adds the effect of the last response. */
  void happened(Step step);

  /** Returns the training samples of the episode, at least one. */
  List<Sequence> sequences();

  /** Returns all messages of the prompt. */
  List<Message> messages();
}
