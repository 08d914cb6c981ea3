package roll.rollout.prompt;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.env.Step;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.Prompt;
import roll.api.strategy.Generation;
import roll.rollout.action.ActionHandler;

/** One conversation that grows turn by turn; only what is new is tokenized. */
public final class ConversationPrompt implements PromptBuilder {
  /** What a template may show. */
  public static final List<String> PLACEHOLDERS =
      List.of("observation", "turn_idx", "suffix", "actions_left", "max_response_length");

  private final EpisodeContext context;
  private final FirstPrompt first;
  private final ActionHandler actionHandler;
  private final SequenceBuilder builder = new SequenceBuilder();
  private final List<Message> messages = new ArrayList<>();
  private int[] response = {};

  public ConversationPrompt(EpisodeContext context, ActionHandler actionHandler) {
    this.context = context;
    this.first =
        FirstPrompt.of(
            context.config(),
            context.scenario(),
            context.agent(),
            context.model().chat(),
            PromptSettings.longestResponse(context));
    this.actionHandler = actionHandler;
  }

  @Override
  public @Nullable Prompt prompt(String observation, int turn) {
    boolean fits = turn == 0 ? open(observation) : observe(observation, turn);
    return fits ? new Prompt(builder.tokens(), List.copyOf(messages)) : null;
  }

  /** Starts the transcript; what is longer than a sample may be is cut off. */
  private boolean open(String observation) {
    messages.addAll(first.messages(observation));
    int[] opening = first.tokens(observation);
    builder.append(
        Arrays.copyOf(opening, Math.min(opening.length, context.model().sequenceLength())));
    return opening.length < context.model().sequenceLength();
  }

  /** Appends what the agent sees next; false, and nothing appended, if no response would fit. */
  private boolean observe(String observation, int turn) {
    List<Message> said =
        actionHandler.results().isEmpty()
            ? List.of(new Message("user", first.text(observation, turn)))
            : actionHandler.results();
    int[] more = context.model().chat().between(response, said);
    if (builder.length() + more.length >= context.model().sequenceLength()) {
      return false;
    }
    if (actionHandler.results().isEmpty()) {
      messages.addAll(said);
    }
    builder.append(more);
    return true;
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
