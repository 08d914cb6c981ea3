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

/** The samples of an episode with one prompt and one sample per turn. */
final class TurnSamples {
  private final EpisodeContext context;
  private final List<Sequence> sequences = new ArrayList<>();
  private SequenceBuilder builder = new SequenceBuilder();

  TurnSamples(EpisodeContext context) {
    this.context = context;
  }

  /**
   * Returns the prompt of {@code shown}; null if it leaves no room for a response. In turn 0 the
   * truncated prompt is then a sample, since an episode has at least one.
   */
  @Nullable Prompt prompt(List<Message> shown, int turn) {
    PromptSettings.fewPictures(context.config(), shown);
    ChatFormat chat = context.model().chat();
    TruncatedPrompt whole =
        new TruncatedPrompt(
            chat.opening(shown), chat.imageToken() < 0 ? List.of() : Message.pictures(shown));
    int room = context.model().sequenceLength();
    if (whole.tokens().length >= room) {
      if (turn == 0) {
        TruncatedPrompt start = whole.keep(room, 0, chat.imageToken());
        builder.append(start.tokens(), start.pictures());
        sequences.add(builder.sequence());
      }
      return null;
    }
    builder = new SequenceBuilder();
    builder.append(whole.tokens(), whole.pictures());
    return new Prompt(whole.tokens(), List.copyOf(shown), whole.pictures());
  }

  /** Adds the response to the last prompt. */
  void answered(Generation generation, int turn) {
    builder.append(generation, turn);
    sequences.add(builder.sequence());
  }

  /** Returns the samples, one per turn. */
  List<Sequence> sequences() {
    return List.copyOf(sequences);
  }
}
