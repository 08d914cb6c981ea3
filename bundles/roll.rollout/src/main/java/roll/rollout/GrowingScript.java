package roll.rollout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
  private final PromptTemplate template;
  private final Moves moves;
  private final Transcript transcript = new Transcript();
  private final List<Message> messages = new ArrayList<>();
  private int[] response = {};

  GrowingScript(EpisodeContext context, PromptTemplate template, Moves moves) {
    this.context = context;
    this.template = template;
    this.moves = moves;
  }

  @Override
  public @Nullable Prompt prompt(String observation, int turn) {
    boolean fits = turn == 0 ? open(observation) : observe(observation, turn);
    return fits ? new Prompt(transcript.tokens(), List.copyOf(messages)) : null;
  }

  /** Starts the transcript; what is longer than a sample may be is cut off. */
  private boolean open(String observation) {
    messages.addAll(Prompts.system(context.config(), moves.instruction()));
    String instruction = context.scenario().instruction();
    String first = instruction.isEmpty() ? "" : instruction + "\n";
    messages.add(new Message("user", first + text(observation, 0)));
    int[] opening = context.chat().opening(messages, moves.listed());
    transcript.append(Arrays.copyOf(opening, Math.min(opening.length, context.sequenceLength())));
    return opening.length < context.sequenceLength();
  }

  /** Appends what the agent sees next; false, and nothing appended, if no response would fit. */
  private boolean observe(String observation, int turn) {
    List<Message> said =
        moves.results().isEmpty()
            ? List.of(new Message("user", text(observation, turn)))
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

  private String text(String observation, int turn) {
    return template.fill(
        Map.of(
            "observation", observation,
            "turn_idx", String.valueOf(turn + 1),
            "suffix", "",
            "actions_left", String.valueOf(context.config().maxSteps() - turn),
            "max_response_length", String.valueOf(Prompts.longestResponse(context))));
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
