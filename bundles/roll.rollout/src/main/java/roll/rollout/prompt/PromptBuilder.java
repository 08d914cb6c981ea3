package roll.rollout.prompt;

import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.env.Observation;
import roll.api.env.Step;
import roll.api.rollout.Prompt;
import roll.api.strategy.Generation;

/** What a policy is shown in an episode, turn by turn, and which samples that makes. */
public interface PromptBuilder {
  /** The prompt of a turn, or null if it leaves no room for a response. */
  @Nullable Prompt prompt(Observation observation, int turn);

  /**
   * Takes in the response to the last prompt.
   *
   * @param text the response without special tokens
   */
  void answered(Generation response, String text, int turn);

  /** Takes in what the last response did. */
  void happened(Step step);

  /** The samples so far, at least one. */
  List<Sequence> sequences();

  /** Everything said so far. */
  List<Message> messages();
}
