package roll.env.click_and_read;

import java.util.Map;
import java.util.Optional;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.option.Options;
import roll.env.click_and_read.site.SiteFolders;
import roll.env.click_and_read.site.SiteQuestion;
import roll.env.click_and_read.site.SiteQuestions;
import roll.grid.ActionParser;

/** Questions about sites, and the rules of an episode. */
final class ClickAndReadScenario implements Scenario {
  private static final String LISTS =
      """
      You see a page of a web site as a numbered list. Follow its links until you can answer the \
      question, with as few actions as you can.
      Your actions are click[number of a link], back and answer[your answer]; the answer ends the \
      game.\
      """;

  private static final String PICTURES =
      """
      You see a page of a web site as a picture. Follow its links until you can answer the \
      question, with as few actions as you can.
      Your actions are click[x,y] with a pixel of the picture, back, scroll[down] and scroll[up] \
      where a page is longer than the picture, and answer[your answer]; the answer ends the game.\
      """;

  private final SiteQuestions tasks;
  private final Optional<Eyes> eyes;
  private final int maxSteps;
  private final double actionCost;
  private final boolean partialCredit;
  private final double formatPenalty;
  private final ActionParser parser;
  private final String instruction;

  ClickAndReadScenario(Options options, SiteFolders folders, Browsers browsers) {
    boolean pictures = options.word("observation_mode", "text", "picture").equals("picture");
    maxSteps = options.integer("max_steps", 1, Integer.MAX_VALUE);
    actionCost = options.number("action_cost", 0, 1);
    partialCredit = options.flag("partial_credit");
    formatPenalty = options.number("format_penalty", -Double.MAX_VALUE, Double.MAX_VALUE);
    parser = new ActionParser(options, Map.of());
    instruction =
        options.has("env_instruction")
            ? options.text("env_instruction")
            : pictures ? PICTURES : LISTS;
    tasks = SiteQuestions.of(options, folders, maxSteps);
    eyes = pictures ? Optional.of(browsers.eyes(options)) : Optional.empty();
  }

  @Override
  public String instruction() {
    return instruction;
  }

  @Override
  public Episode reset(long seed) {
    SiteQuestion task = tasks.of(seed);
    return eyes.isPresent()
        ? new PictureEpisode(this, task, eyes.get())
        : new TextEpisode(this, task);
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
