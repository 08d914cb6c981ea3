package roll.env.click_and_read;

import java.util.Map;
import roll.api.config.Options;
import roll.api.env.ActionParser;
import roll.api.env.Episode;
import roll.api.env.Scenario;

/** Questions about sites, and the rules of an episode. */
final class ClickAndReadScenario implements Scenario {
  private final Tasks tasks;
  private final int maxSteps;
  private final double actionCost;
  private final boolean partialCredit;
  private final double formatPenalty;
  private final ActionParser parser;
  private final String instruction;

  ClickAndReadScenario(Options options, Folders folders) {
    options.word("observation_mode", "text");
    maxSteps = options.integer("max_steps", 1, Integer.MAX_VALUE);
    actionCost = options.number("action_cost", 0, 1);
    partialCredit = options.flag("partial_credit");
    formatPenalty = options.number("format_penalty", -Double.MAX_VALUE, Double.MAX_VALUE);
    parser = new ActionParser(options, Map.of());
    instruction = options.text("env_instruction");
    tasks = Tasks.of(options, folders, maxSteps);
  }

  @Override
  public String instruction() {
    return instruction;
  }

  @Override
  public Episode reset(long seed) {
    return new ClickAndReadEpisode(this, tasks.of(seed));
  }

  @Override
  public Map<String, Aggregation> aggregations() {
    return Map.of(
        "action_is_effective", Aggregation.MEAN,
        "action_is_valid", Aggregation.MEAN,
        "success", Aggregation.LAST,
        "answered", Aggregation.LAST,
        "answer_f1", Aggregation.LAST,
        "format_penalty", Aggregation.MEAN);
  }

  /**
   * What an answer is worth.
   *
   * @param overlap F1 of its words, 1 where it is right
   * @param actions actions made, the answer among them
   */
  double reward(double overlap, int actions) {
    double credit = overlap == 1 || partialCredit ? overlap : 0;
    return credit * Math.max(0, 1 - actionCost * actions);
  }

  int maxSteps() {
    return maxSteps;
  }

  double formatPenalty() {
    return formatPenalty;
  }

  ActionParser parser() {
    return parser;
  }
}
