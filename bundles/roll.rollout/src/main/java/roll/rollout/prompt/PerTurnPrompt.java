package roll.rollout.prompt;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.env.Observation;
import roll.api.env.Step;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.Prompt;
import roll.api.strategy.Generation;

/**
 * A prompt that is rebuilt each turn: the system message and one user message with a window of the
 * last {@code history_length} turns. It shows the pictures of the current turn only.
 */
public final class PerTurnPrompt implements PromptBuilder {
  /** The placeholders that the template of a turn may have. */
  public static final List<String> PLACEHOLDERS =
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
  private final HistoryFormat history;
  private final List<PastTurn> past = new ArrayList<>();
  private final TurnSamples samples;
  private final List<Message> messages = new ArrayList<>();
  private List<Message> before = List.of();
  private String observation = "";
  private String response = "";

  /**
   * Creates a builder of prompts that are rebuilt each turn.
   *
   * @param history format of {@code {history}}
   */
  public PerTurnPrompt(EpisodeContext context, PromptTemplate template, HistoryFormat history) {
    this.context = context;
    this.samples = new TurnSamples(context);
    this.template = template;
    this.history = history;
  }

  /** A completed turn of the prompt. */
  record PastTurn(int step, String observation, String action, double reward) {}

  /** The format of earlier turns in a prompt. */
  public record HistoryFormat(Function<PastTurn, String> turn, String separator) {
    /** Observation, action and reward of each turn. */
    public static final HistoryFormat STEPS =
        new HistoryFormat(
            past ->
                "(step: %d, observation: %s, action: %s, reward: %s)"
                    .formatted(past.step(), past.observation(), past.action(), past.reward()),
            ", ");

    /** Format of earlier turns: the observation of each turn. */
    public static final HistoryFormat OBSERVATIONS = new HistoryFormat(PastTurn::observation, "\n");
  }

  @Override
  public @Nullable Prompt prompt(Observation current, int turn) {
    observation = current.text();
    if (turn == 0) {
      before = PromptSettings.beginning(context.config(), current.before(), "");
      messages.addAll(before);
    }
    List<Message> shown = new ArrayList<>(before);
    Message message = template.fill(values(turn), "current_observation", current);
    shown.add(message);
    Prompt prompt = samples.prompt(shown, turn);
    if (prompt != null) {
      messages.add(message);
    }
    return prompt;
  }

  private Map<String, String> values(int turn) {
    int window = Math.min(context.config().prompts().historyLength(), past.size());
    List<PastTurn> told = past.subList(past.size() - window, past.size());
    Map<String, String> values = new HashMap<>();
    values.put("env_instruction", context.scenario().instruction());
    values.put(
        "history",
        told.stream().map(history.turn()).collect(Collectors.joining(history.separator())));
    values.put("step_count", String.valueOf(turn));
    values.put("history_length", String.valueOf(window));
    values.put("current_step", String.valueOf(turn + 1));
    values.put("current_observation", observation);
    values.put("actions_left", String.valueOf(context.config().limits().maxSteps() - turn));
    values.put("suffix", "");
    values.put("max_response_length", String.valueOf(PromptSettings.longestResponse(context)));
    return values;
  }

  @Override
  public void answered(Generation generation, String text, int turn) {
    samples.answered(generation, turn);
    messages.add(new Message("assistant", text));
    response = text;
  }

  @Override
  public void happened(Step step) {
    String action = PromptSettings.withoutThoughts(response);
    past.add(new PastTurn(past.size() + 1, observation, action, step.reward()));
  }

  @Override
  public List<Sequence> sequences() {
    return samples.sequences();
  }

  @Override
  public List<Message> messages() {
    return List.copyOf(messages);
  }
}
