package roll.rollout.prompt;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.env.Observation;
import roll.api.env.Step;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.Prompt;
import roll.api.strategy.Generation;

/**
 * The conversation so far, written anew each turn as the chat format writes it; every turn is a
 * sample of its own. What the format leaves out of former responses, as thoughts, is not told.
 */
public final class RetoldConversation implements PromptBuilder {
  private final EpisodeContext context;
  private final FirstPrompt first;
  private final List<Sequence> sequences = new ArrayList<>();
  private final List<Message> messages = new ArrayList<>();
  private SequenceBuilder builder = new SequenceBuilder();

  /** A conversation that has not begun. */
  public RetoldConversation(EpisodeContext context) {
    this.context = context;
    this.first =
        FirstPrompt.of(
            context.config(),
            context.scenario(),
            null,
            context.model().chat(),
            PromptSettings.longestResponse(context));
  }

  @Override
  public @Nullable Prompt prompt(Observation observation, int turn) {
    List<Message> said = new ArrayList<>(messages);
    said.addAll(
        turn == 0 ? first.messages(observation) : List.of(first.message(observation, turn)));
    PromptSettings.fewPictures(context.config(), said);
    ChatFormat chat = context.model().chat();
    CutPrompt whole =
        new CutPrompt(
            chat.opening(said), chat.imageToken() < 0 ? List.of() : Message.pictures(said));
    int room = context.model().sequenceLength();
    if (whole.tokens().length >= room) {
      if (turn == 0) { // an episode is at least one sample
        CutPrompt start = whole.keep(room, 0, chat.imageToken());
        builder.append(start.tokens(), start.pictures());
        sequences.add(builder.sequence());
      }
      return null;
    }
    messages.addAll(said.subList(messages.size(), said.size()));
    builder = new SequenceBuilder();
    builder.append(whole.tokens(), whole.pictures());
    return new Prompt(whole.tokens(), List.copyOf(said), whole.pictures());
  }

  @Override
  public void answered(Generation generation, String text, int turn) {
    builder.append(generation, turn);
    sequences.add(builder.sequence());
    messages.add(new Message("assistant", text));
  }

  @Override
  public void happened(Step step) {}

  @Override
  public List<Sequence> sequences() {
    return List.copyOf(sequences);
  }

  @Override
  public List<Message> messages() {
    return List.copyOf(messages);
  }
}
