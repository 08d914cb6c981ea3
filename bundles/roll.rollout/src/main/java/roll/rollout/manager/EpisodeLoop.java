package roll.rollout.manager;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import roll.api.agent.AgentTools;
import roll.api.data.Message;
import roll.api.data.Message.InlinePicture;
import roll.api.data.Trajectory;
import roll.api.env.Episode;
import roll.api.env.Observation;
import roll.api.env.Scenario.Aggregation;
import roll.api.env.Step;
import roll.api.option.UserException;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.Prompt;
import roll.api.strategy.Generation;
import roll.rollout.action.ActionHandler;
import roll.rollout.action.EnvironmentActionHandler;
import roll.rollout.action.ToolActionHandler;
import roll.rollout.prompt.PromptBuilder;
import roll.rollout.prompt.PromptSettings;
import roll.rollout.supervise.EnvironmentException;
import roll.rollout.supervise.EpisodeTools;
import roll.text.call.ThinkTags;

/** The loop of one episode: prompt, response and step, turn by turn, until the episode ends. */
final class EpisodeLoop {
  private final EpisodeContext context;
  private final Episode episode;
  private final boolean shows;
  private final boolean special;
  private final ActionHandler actionHandler;
  private final PromptBuilder promptBuilder;
  private final List<Double> rewards = new ArrayList<>();
  private final List<Long> states = new ArrayList<>();
  private final List<Integer> cut = new ArrayList<>();
  private final StepMetrics metrics = new StepMetrics();

  private EpisodeLoop(
      EpisodeContext context,
      Episode episode,
      boolean shows,
      ActionHandler actionHandler,
      PromptBuilder promptBuilder) {
    this.context = context;
    this.episode = episode;
    this.shows = shows;
    this.special = context.scenario().readsSpecialTokens();
    this.actionHandler = actionHandler;
    this.promptBuilder = promptBuilder;
  }

  /**
   * Plays the episode of {@code context} to its end.
   *
   * @param promptBuilder creates the prompts
   * @throws UserException if the environment shows pictures and the model has no vision
   */
  static Trajectory play(
      EpisodeContext context, Function<ActionHandler, PromptBuilder> promptBuilder)
      throws InterruptedException {
    try (Episode episode = context.scenario().reset(context.start());
        ActionHandler actionHandler = actionHandler(context, episode)) {
      Observation first = episode.observed();
      boolean shows = !first.pictures().isEmpty();
      if (shows && !context.model().policy().seesPictures()) {
        throw new UserException(
            "custom_envs."
                + context.config().tag()
                + ": its observations are pictures, which this model cannot see (its env_config can"
                + " ask for text)");
      }
      return new EpisodeLoop(
              context, episode, shows, actionHandler, promptBuilder.apply(actionHandler))
          .play(first.before());
    }
  }

  private static ActionHandler actionHandler(EpisodeContext context, Episode episode) {
    return context.agent() == null
        ? new EnvironmentActionHandler(episode)
        : new ToolActionHandler(
            episode, context.agent(), context.key().seed(), context.model().policy()::seen);
  }

  private Trajectory play(List<Message> before) throws InterruptedException {
    context.recorder().look(episode);
    before.forEach(message -> encodable(message.content()));
    Observation observation = seen(episode.observation()).behind(before);
    String finish = "";
    for (int turn = 0; finish.isEmpty(); turn++) {
      Prompt prompt = promptBuilder.prompt(observation, turn);
      if (prompt == null) {
        finish = actionHandler.outOfTokens();
        judge();
        break;
      }
      Step step = act(prompt, observation, turn);
      if (step.done()) {
        finish = actionHandler.finish(step);
      } else if (turn + 1 >= context.config().limits().maxSteps()) {
        finish = actionHandler.outOfTurns();
        judge();
      } else {
        observation = seen(step.observation());
      }
    }
    return trajectory(finish);
  }

  /** Ends an episode with tools of its own that a limit cut short: what its calls did counts. */
  private void judge() {
    AgentTools agent = context.agent();
    if (agent != null && EpisodeTools.areIn(agent) && !rewards.isEmpty()) {
      Step step = episode.step("");
      context.recorder().look(episode);
      rewards.set(rewards.size() - 1, rewards.getLast() + step.reward());
      metrics.add(step.metrics());
    }
  }

  /**
   * Returns the observation with {@code text} and the current pictures; an environment shows
   * pictures always or never.
   */
  private Observation seen(String text) {
    encodable(text);
    if (!shows) {
      return Observation.of(text);
    }
    Observation observed = episode.observed();
    return observed.text().equals(text)
        ? observed
        : new Observation(
            text, observed.shown().stream().map(picture -> new InlinePicture(0, picture)).toList());
  }

  /** Fails the episode, not the run, if the tokenizer rejects {@code text}. */
  private void encodable(String text) {
    String refusal = context.model().tokenizer().refusal(text);
    if (refusal != null) {
      throw EnvironmentException.invalid(
          "observation", "a text that the tokenizer refuses: " + refusal);
    }
  }

  private Step act(Prompt prompt, Observation observation, int turn) throws InterruptedException {
    states.add(Trajectory.state(observation.text(), observation.shown()));
    int room = context.model().sequenceLength() - prompt.tokens().length;
    var sampling =
        context
            .model()
            .sampling()
            .withMaxNewTokens(Math.min(PromptSettings.longestResponse(context), room));
    Generation response = kept(context.model().policy().respond(prompt, sampling, turn));
    if (!response.stopped() && drawn(response)) {
      cut.add(turn);
    }
    String text = text(response, false);
    promptBuilder.answered(response, text, turn);
    Step step = actionHandler.step(text(response, special), begun(prompt, response) + text);
    context.recorder().look(episode);
    promptBuilder.happened(step);
    rewards.add(step.reward());
    metrics.add(step.metrics());
    return step;
  }

  /** Returns whether a model sampled the response; that of an agent has no length limit. */
  private static boolean drawn(Generation response) {
    return Arrays.stream(response.weightVersions()).anyMatch(version -> version >= 0);
  }

  /** Returns the part of {@code response} that the agent type keeps. */
  private Generation kept(Generation response) {
    String text = text(response, false);
    int kept = actionHandler.kept(text);
    return kept < text.length()
        ? TruncatedResponse.of(response, context.model().tokenizer(), kept)
        : response;
  }

  /**
   * Returns the opening think tag if {@code prompt} ends with it and a model continued it;
   * otherwise an empty string.
   */
  private String begun(Prompt prompt, Generation response) {
    return drawn(response)
            && context.agent() != null
            && ThinkTags.open(context.model().tokenizer(), prompt.tokens())
        ? ThinkTags.OPEN
        : "";
  }

  private String text(Generation response, boolean special) {
    return context.model().policy().text(response, context.model().tokenizer(), special);
  }

  private Map<String, Aggregation> aggregations() {
    Map<String, Aggregation> how = new HashMap<>(Map.of(Step.SUCCESS, Aggregation.LAST));
    how.putAll(context.scenario().aggregations());
    for (String name : metrics.names()) {
      if (name.startsWith(ToolActionHandler.COUNT)) {
        how.put(name, Aggregation.SUM);
      }
    }
    return how;
  }

  private Trajectory trajectory(String finish) {
    var sequences = promptBuilder.sequences();
    Map<String, Double> aggregated = metrics.aggregate(aggregations());
    aggregated.put("num_actions", (double) rewards.size());
    aggregated.put("response_length", (double) sequences.stream().mapToInt(s -> s.written()).sum());
    return new Trajectory(
            context.key(),
            sequences,
            rewards.stream().mapToDouble(Double::doubleValue).toArray(),
            states.stream().mapToLong(Long::longValue).toArray(),
            promptBuilder.messages(),
            Collections.unmodifiableMap(aggregated),
            finish)
        .withFacts(episode.facts())
        .withAnswer(actionHandler.read())
        .withCut(cut);
  }
}
