package roll.rollout;

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

/** One conversation that grows turn by turn; only what is new is tokenised. */
final class GrowingScript implements Script {
  /** What a template may show. */
  static final List<String> PLACEHOLDERS =
      List.of("observation", "turn_idx", "suffix", "actions_left", "max_response_length");

  private final EpisodeContext context;
  private final FirstPrompt first;
  private final Moves moves;
  private final Transcript transcript = new Transcript();
  private final List<Message> messages = new ArrayList<>();
  private int[] response = {};

  GrowingScript(EpisodeContext context, Moves moves) {
    this.context = context;
    this.first =
        FirstPrompt.of(
            context.config(),
            context.scenario(),
            context.agent(),
            context.chat(),
            Prompts.longestResponse(context));
    this.moves = moves;
  }

  @Override
  public @Nullable Prompt prompt(String observation, int turn) {
    boolean fits = turn == 0 ? open(observation) : observe(observation, turn);
    return fits ? new Prompt(transcript.tokens(), List.copyOf(messages)) : null;
  }

  /** Starts the transcript; what is longer than a sample may be is cut off. */
  private boolean open(String observation) {
    messages.addAll(first.messages(observation));
    int[] opening = first.tokens(observation);
    transcript.append(Arrays.copyOf(opening, Math.min(opening.length, context.sequenceLength())));
    return opening.length < context.sequenceLength();
  }

  /** Appends what the agent sees next; false, and nothing appended, if no response would fit. */
  private boolean observe(String observation, int turn) {
    List<Message> said =
        moves.results().isEmpty()
            ? List.of(new Message("user", first.text(observation, turn)))
            : moves.results();
    int[] more = context.chat().between(response, said);
    if (transcript.length() + more.length >= context.sequenceLength()) {
      return false;
    }
    if (moves.results().isEmpty()) {
      messages.addAll(said);
    }
    transcript.append(more);
    return true;
  }

  @Override
  public void answered(Generation generation, String text, int turn) {
    transcript.append(generation, turn);
    messages.add(new Message("assistant", text));
    response = generation.tokens();
  }

  @Override
  public void happened(Step step) {
    messages.addAll(moves.results());
  }

  @Override
  public List<Sequence> sequences() {
    return List.of(transcript.sequence());
  }

  @Override
  public List<Message> messages() {
    return List.copyOf(messages);
  }
}
