package roll.rollout.prompt;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.env.Observation;
import roll.api.env.Step;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.Prompt;
import roll.api.strategy.Generation;

/**
 * The conversation, rendered again each turn by the chat format; every turn is a sample. Parts of
 * earlier responses that the format drops, such as thoughts, are not in the prompt.
 */
public final class RerenderedConversation implements PromptBuilder {
  private final FirstPrompt first;
  private final TurnSamples samples;
  private final List<Message> messages = new ArrayList<>();

  /** Creates an empty conversation. */
  public RerenderedConversation(EpisodeContext context) {
    this.samples = new TurnSamples(context);
    this.first = FirstPrompt.of(context);
  }

  @Override
  public @Nullable Prompt prompt(Observation observation, int turn) {
    List<Message> said = new ArrayList<>(messages);
    said.addAll(
        turn == 0 ? first.messages(observation) : List.of(first.message(observation, turn)));
    Prompt prompt = samples.prompt(said, turn);
    if (prompt != null) {
      messages.addAll(said.subList(messages.size(), said.size()));
    }
    return prompt;
  }

  @Override
  public void answered(Generation generation, String text, int turn) {
    samples.answered(generation, turn);
    messages.add(new Message("assistant", text));
  }

  @Override
  public void happened(Step step) {}

  @Override
  public List<Sequence> sequences() {
    return samples.sequences();
  }

  @Override
  public List<Message> messages() {
    return List.copyOf(messages);
  }
}
