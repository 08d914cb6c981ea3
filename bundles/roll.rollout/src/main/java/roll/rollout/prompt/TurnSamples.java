package roll.rollout.prompt;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.Prompt;
import roll.api.strategy.Generation;

/** The samples of an episode whose every turn has a prompt, and with it a sample, of its own. */
final class TurnSamples {
  private final EpisodeContext context;
  private final List<Sequence> sequences = new ArrayList<>();
  private SequenceBuilder builder = new SequenceBuilder();

  TurnSamples(EpisodeContext context) {
    this.context = context;
  }

  /**
   * The prompt that shows {@code shown}; null if it leaves no room for a response, which in turn 0
   * makes a sample of its beginning, as an episode is at least one.
   */
  @Nullable Prompt prompt(List<Message> shown, int turn) {
    PromptSettings.fewPictures(context.config(), shown);
    ChatFormat chat = context.model().chat();
    CutPrompt whole =
        new CutPrompt(
            chat.opening(shown), chat.imageToken() < 0 ? List.of() : Message.pictures(shown));
    int room = context.model().sequenceLength();
    if (whole.tokens().length >= room) {
      if (turn == 0) {
        CutPrompt start = whole.keep(room, 0, chat.imageToken());
        builder.append(start.tokens(), start.pictures());
        sequences.add(builder.sequence());
      }
      return null;
    }
    builder = new SequenceBuilder();
    builder.append(whole.tokens(), whole.pictures());
    return new Prompt(whole.tokens(), List.copyOf(shown), whole.pictures());
  }

  /** The response to the last prompt. */
  void answered(Generation generation, int turn) {
    builder.append(generation, turn);
    sequences.add(builder.sequence());
  }

  /** The samples so far. */
  List<Sequence> sequences() {
    return List.copyOf(sequences);
  }
}
