package roll.rollout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.env.Step;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.Prompt;
import roll.api.strategy.Generation;

/**
 * A prompt made anew each turn: system message and one user message, which tells of the last {@code
 * history_length} turns as a window.
 */
final class FreshScript implements Script {
  /** What a template may show. */
  static final List<String> PLACEHOLDERS =
      List.of(
          "env_instruction",
          "history",
          "step_count",
          "history_length",
          "current_step",
          "current_observation",
          "actions_left",
          "suffix",
          "max_response_length");

  private final EpisodeContext context;
  private final PromptTemplate template;
  private final Telling telling;
  private final List<Past> past = new ArrayList<>();
  private final List<Sequence> sequences = new ArrayList<>();
  private final List<Message> messages = new ArrayList<>();
  private Transcript transcript = new Transcript();
  private String observation = "";
  private String response = "";

  /**
   * A script.
   *
   * @param telling how the turns of the window become the text of {@code {history}}
   */
  FreshScript(EpisodeContext context, PromptTemplate template, Telling telling) {
    this.context = context;
    this.template = template;
    this.telling = telling;
    messages.addAll(Prompts.system(context.config()));
  }

  /** A turn that is over. */
  record Past(int step, String observation, String action, double reward) {}

  /** How turns are told of. */
  record Telling(Function<Past, String> turn, String separator) {
    /** Everything about each turn. */
    static final Telling STEPS =
        new Telling(
            past ->
                "(step: %d, observation: %s, action: %s, reward: %s)"
                    .formatted(past.step(), past.observation(), past.action(), past.reward()),
            ", ");

    /** What was seen in each turn. */
    static final Telling OBSERVATIONS = new Telling(Past::observation, "\n");
  }

  @Override
  public @Nullable Prompt prompt(String current, int turn) {
    observation = current;
    List<Message> shown = new ArrayList<>(Prompts.system(context.config()));
    Message message = new Message("user", text(turn));
    shown.add(message);
    int[] tokens = context.chat().opening(shown);
    if (tokens.length >= context.sequenceLength()) {
      if (turn == 0) { // an episode is at least one sample
        transcript.append(Arrays.copyOf(tokens, context.sequenceLength()));
        sequences.add(transcript.sequence());
      }
      return null;
    }
    messages.add(message);
    transcript = new Transcript();
    transcript.append(tokens);
    return new Prompt(tokens, List.copyOf(shown));
  }

  private String text(int turn) {
    int window = Math.min(context.config().historyLength(), past.size());
    List<Past> told = past.subList(past.size() - window, past.size());
    Map<String, String> values = new HashMap<>();
    values.put("env_instruction", context.scenario().instruction());
    values.put(
        "history",
        told.stream().map(telling.turn()).collect(Collectors.joining(telling.separator())));
    values.put("step_count", String.valueOf(turn));
    values.put("history_length", String.valueOf(window));
    values.put("current_step", String.valueOf(turn + 1));
    values.put("current_observation", observation);
    values.put("actions_left", String.valueOf(context.config().maxSteps() - turn));
    values.put("suffix", "");
    values.put("max_response_length", String.valueOf(Prompts.longestResponse(context)));
    return template.fill(values);
  }

  @Override
  public void answered(Generation generation, String text, int turn) {
    transcript.append(generation, turn);
    sequences.add(transcript.sequence());
    messages.add(new Message("assistant", text));
    response = text;
  }

  @Override
  public void happened(Step step) {
    String action = Prompts.withoutThoughts(response);
    past.add(new Past(past.size() + 1, observation, action, step.reward()));
  }

  @Override
  public List<Sequence> sequences() {
    return List.copyOf(sequences);
  }

  @Override
  public List<Message> messages() {
    return List.copyOf(messages);
  }
}
