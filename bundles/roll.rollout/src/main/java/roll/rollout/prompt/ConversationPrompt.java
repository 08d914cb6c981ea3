package roll.rollout.prompt;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.env.Observation;
import roll.api.env.Step;
import roll.api.image.Picture;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.Prompt;
import roll.api.strategy.Generation;
import roll.rollout.action.ActionHandler;

/** A conversation that grows turn by turn; only new text is tokenized. */
public final class ConversationPrompt implements PromptBuilder {
  /** The placeholders that the conversation's prompt template may have. */
  public static final List<String> PLACEHOLDERS =
      List.of("observation", "turn_idx", "suffix", "actions_left", "max_response_length");

  private final EpisodeContext context;
  private final FirstPrompt first;
  private final ActionHandler actionHandler;
  private final SequenceBuilder builder = new SequenceBuilder();
  private final List<Message> messages = new ArrayList<>();
  private List<Picture> shown = List.of();
  private int[] response = {};

  public ConversationPrompt(EpisodeContext context, ActionHandler actionHandler) {
    this.context = context;
    this.first = FirstPrompt.of(context);
    this.actionHandler = actionHandler;
  }

  @Override
  public @Nullable Prompt prompt(Observation observation, int turn) {
    boolean fits = turn == 0 ? open(observation) : observe(observation, turn);
    shown = observation.shown();
    PromptSettings.fewPictures(context.config(), messages);
    return fits ? new Prompt(builder.tokens(), List.copyOf(messages), builder.pictures()) : null;
  }

  /** Appends the first prompt, truncated to the sequence length; returns whether it fits. */
  private boolean open(Observation observation) {
    messages.addAll(first.messages(observation));
    TruncatedPrompt opening = first.cut(observation);
    int room = context.model().sequenceLength();
    TruncatedPrompt start = opening.keep(room, 0, context.model().chat().imageToken());
    builder.append(start.tokens(), start.pictures());
    return opening.tokens().length < room;
  }

  /**
   * Appends the next observation or the tool results. Returns false, and appends nothing, if no
   * response would fit.
   */
  private boolean observe(Observation observation, int turn) {
    List<Message> results = actionHandler.results();
    List<Message> said =
        results.isEmpty()
            ? List.of(first.message(observation, turn))
            : showing(results, observation.shown());
    int[] more = context.model().chat().between(response, said);
    if (builder.length() + more.length >= context.model().sequenceLength()) {
      return false;
    }
    messages.subList(messages.size() - results.size(), messages.size()).clear();
    messages.addAll(said);
    boolean sees = context.model().chat().imageToken() >= 0;
    builder.append(more, sees ? Message.pictures(said) : List.of());
    return true;
  }

  /**
   * Returns the tool results; the last one shows the pictures of the observation if they are new.
   */
  private List<Message> showing(List<Message> results, List<Picture> pictures) {
    if (pictures.equals(shown)) {
      return results;
    }
    Message last = results.getLast();
    for (Picture picture : pictures.reversed()) {
      last = last.showing(picture);
    }
    List<Message> said = new ArrayList<>(results.subList(0, results.size() - 1));
    said.add(last);
    return said;
  }

  @Override
  public void answered(Generation generation, String text, int turn) {
    builder.append(generation, turn);
    messages.add(new Message("assistant", text));
    response = generation.tokens();
  }

  @Override
  public void happened(Step step) {
    messages.addAll(actionHandler.results());
  }

  @Override
  public List<Sequence> sequences() {
    return List.of(builder.sequence());
  }

  @Override
  public List<Message> messages() {
    return List.copyOf(messages);
  }
}
