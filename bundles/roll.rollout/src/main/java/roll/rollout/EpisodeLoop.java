package roll.rollout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import roll.api.data.Trajectory;
import roll.api.env.Episode;
import roll.api.env.Scenario.Aggregation;
import roll.api.env.Step;
import roll.api.option.UserException;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.Prompt;
import roll.api.strategy.Generation;

/** One episode in progress: prompt, response and step in turn, until something ends it. */
final class EpisodeLoop {
  private final EpisodeContext context;
  private final Episode episode;
  private final Moves moves;
  private final Script script;
  private final List<Double> rewards = new ArrayList<>();
  private final List<Long> states = new ArrayList<>();
  private final StepMetrics metrics = new StepMetrics();

  private EpisodeLoop(EpisodeContext context, Episode episode, Moves moves, Script script) {
    this.context = context;
    this.episode = episode;
    this.moves = moves;
    this.script = script;
  }

  /**
   * Plays an episode of {@code context} to its end.
   *
   * @param script shows it to the policy
   * @throws UserException if the world shows pictures, and the policy sees none
   */
  static Trajectory play(EpisodeContext context, Function<Moves, Script> script)
      throws InterruptedException {
    try (Episode episode = context.scenario().reset(context.start());
        Moves moves = moves(context, episode)) {
      if (!context.policy().seesPictures() && episode.picture().isPresent()) {
        throw new UserException(
            "custom_envs."
                + context.config().tag()
                + ": its observations are pictures, which no model here can see (its env_config can"
                + " ask for text)");
      }
      return new EpisodeLoop(context, episode, moves, script.apply(moves)).play();
    }
  }

  private static Moves moves(EpisodeContext context, Episode episode) {
    return context.agent() == null
        ? new WorldMoves(episode)
        : new ToolMoves(episode, context.agent(), context.seed());
  }

  private Trajectory play() throws InterruptedException {
    context.recorder().look(episode);
    String observation = episode.observation();
    String finish = "";
    for (int turn = 0; finish.isEmpty(); turn++) {
      Prompt prompt = script.prompt(observation, turn);
      if (prompt == null) {
        finish = moves.outOfTokens();
        break;
      }
      Step step = act(prompt, observation, turn);
      observation = step.observation();
      if (step.done()) {
        finish = moves.finish(step);
      } else if (turn + 1 >= context.config().maxSteps()) {
        finish = moves.outOfTurns();
      }
    }
    return trajectory(finish);
  }

  private Step act(Prompt prompt, String observation, int turn) throws InterruptedException {
    states.add(Trajectory.state(observation));
    int room = context.sequenceLength() - prompt.tokens().length;
    var sampling =
        context.sampling().withMaxNewTokens(Math.min(Prompts.longestResponse(context), room));
    Generation response = context.policy().respond(prompt, sampling, turn);
    script.answered(response, text(response, false), turn);
    Step step = moves.step(text(response, true), text(response, false));
    context.recorder().look(episode);
    script.happened(step);
    rewards.add(step.reward());
    metrics.add(step.metrics());
    return step;
  }

  private String text(Generation response, boolean special) {
    return context.policy().text(response, context.tokenizer(), special);
  }

  private Map<String, Aggregation> aggregations() {
    Map<String, Aggregation> how = new HashMap<>(context.scenario().aggregations());
    for (String name : metrics.names()) {
      if (name.startsWith(ToolMoves.COUNT)) {
        how.put(name, Aggregation.SUM);
      }
    }
    return how;
  }

  private Trajectory trajectory(String finish) {
    var sequences = script.sequences();
    Map<String, Double> aggregated = metrics.aggregate(aggregations());
    aggregated.put("num_actions", (double) rewards.size());
    aggregated.put("response_length", (double) sequences.stream().mapToInt(s -> s.written()).sum());
    return new Trajectory(
            context.config().tag(),
            context.group(),
            context.episode(),
            context.member(),
            context.seed(),
            sequences,
            rewards.stream().mapToDouble(Double::doubleValue).toArray(),
            states.stream().mapToLong(Long::longValue).toArray(),
            script.messages(),
            Collections.unmodifiableMap(aggregated),
            finish)
        .withFacts(episode.facts());
  }
}
