package roll.env.click_and_read;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Scenario;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.env.click_and_read.site.SiteFolders;
import roll.env.click_and_read.site.SiteQuestion;
import roll.env.click_and_read.site.SiteQuestions;
import roll.grid.ActionParser;
import roll.grid.LevelSplit;
import roll.grid.ObservationMode;

/** The questions and rules of episodes. */
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

  private static final String BOTH =
      """
      You see a page of a web site as a picture and as a numbered list. Follow its links until you \
      can answer the question, with as few actions as you can.
      Your actions are click[x,y] with a pixel of the picture, click[number of a link], back, \
      scroll[down] and scroll[up] where a page is longer than the picture, and \
      answer[your answer]; the answer ends the game.\
      """;

  private static final String SCREEN =
      """
      The screen shows a page of a web site. Follow its links until you can answer the question, \
      with as few actions as you can.
      Click on links, scroll where a page is longer than the screen, go back with \
      hotkey(key='alt left'), and answer with finished(content='your answer'), which ends the \
      game; nothing else does anything.\
      """;

  private static final Option<Integer> MAX_STEPS =
      Option.integer("max_steps", 1, Integer.MAX_VALUE, "maximum actions of an episode")
          .withDefault(5);
  private static final Option<Double> ACTION_COST =
      Option.number("action_cost", 0, 1, "cost of each action").withDefault(0.1);
  private static final Option<Boolean> PARTIAL_CREDIT =
      Option.flag(
              "partial_credit",
              "whether an answer with some of the right words scores its F1; otherwise it scores"
                  + " 0")
          .withDefault(true);
  private static final Option<Double> FORMAT_PENALTY =
      Option.number("format_penalty", "reward of a response without a match of `action_pattern`")
          .withDefault(0.0);
  private static final Option<String> INSTRUCTION =
      Option.text(
          "env_instruction",
          "instruction before the first observation; the default depends on `observation`; empty:"
              + " no instruction");

  private static final Option<Boolean> LIST_ACTIONS =
      Option.flag("list_actions", "whether an observation ends with the kinds of actions")
          .withDefault(true);

  private static final Option<String> CLICK_BY =
      Option.choice(
              "click_by",
              List.of("number", "words"),
              "format of clicks on list entries in instruction, actions and expert; both are"
                  + " accepted")
          .withDefault("number");

  private static final Option<Boolean> QUOTES =
      Option.flag(
              "quotes",
              "whether the expert quotes the sentence with the answer before it;"
                  + " `action_pattern` must find the action after it")
          .withDefault(false);

  private static final String UI_TARS = "ui_tars";
  private static final Option<String> ACTION_FORMAT =
      Option.choice(
              "action_format",
              List.of("brackets", UI_TARS),
              "format of actions in instruction and lists; both are accepted. `ui_tars` is the"
                  + " format of the agent type `gui`, for `observation: picture`")
          .withDefault("brackets");
  private static final Option<String> OBSERVATION_MODE =
      Option.choice(
          "observation_mode",
          List.of("text", "picture"),
          "former name of `observation`; the two must not conflict");

  /** Options of episodes in {@code env_config}. */
  static final List<Option<?>> OPTIONS =
      List.of(
          MAX_STEPS,
          ACTION_COST,
          PARTIAL_CREDIT,
          FORMAT_PENALTY,
          ActionParser.PATTERN,
          ActionParser.SPECIAL_TOKENS,
          INSTRUCTION,
          ObservationMode.OPTION,
          OBSERVATION_MODE,
          ACTION_FORMAT,
          LIST_ACTIONS,
          CLICK_BY,
          QUOTES,
          LevelSplit.VAL_SHARE);

  private final ObservationMode observation;
  private final ActionFormat format;
  private final SiteQuestions tasks;
  private final Optional<Viewport> viewport;
  private final int maxSteps;
  private final double actionCost;
  private final boolean partialCredit;
  private final double formatPenalty;
  private final boolean listActions;
  private final boolean byWords;
  private final boolean quotes;
  private final LevelSplit split;
  private final ActionParser parser;
  private final String instruction;

  ClickAndReadScenario(Options options, SiteFolders folders, Browsers browsers) {
    observation = ObservationMode.of(options, OBSERVATION_MODE);
    maxSteps = options.get(MAX_STEPS);
    actionCost = options.get(ACTION_COST);
    partialCredit = options.get(PARTIAL_CREDIT);
    formatPenalty = options.get(FORMAT_PENALTY);
    listActions = options.get(LIST_ACTIONS);
    byWords = options.get(CLICK_BY).equals("words");
    quotes = options.get(QUOTES);
    split = new LevelSplit(options);
    parser = new ActionParser(options, Map.of());
    format = format(options, observation);
    instruction =
        options
            .find(INSTRUCTION)
            .orElse(
                switch (observation) {
                  case TEXT -> byWords ? LISTS.replace("number", "words") : LISTS;
                  case PICTURE -> format == ActionFormat.UI_TARS ? SCREEN : PICTURES;
                  case BOTH -> BOTH;
                });
    tasks = SiteQuestions.of(options, folders, maxSteps);
    viewport =
        observation.showsPicture()
            ? Optional.of(browsers.viewport(options, observation.showsText()))
            : Optional.empty();
  }

  /** Returns whether observations are text only. */
  static boolean readsText(Options options) {
    return ObservationMode.of(options, OBSERVATION_MODE) == ObservationMode.TEXT;
  }

  private static ActionFormat format(Options options, ObservationMode observation) {
    if (!options.get(ACTION_FORMAT).equals(UI_TARS)) {
      return ActionFormat.BRACKETS;
    }
    if (observation != ObservationMode.PICTURE) {
      throw options.wrong(
          ACTION_FORMAT,
          "brackets unless " + ObservationMode.OPTION.name() + " is picture: lists are numbered");
    }
    return ActionFormat.UI_TARS;
  }

  @Override
  public String instruction() {
    return instruction;
  }

  @Override
  public Episode reset(long seed) {
    return episode(tasks.of(seed, false));
  }

  /** Starts an episode; with {@code val_share}, validation has separate sites and subjects. */
  @Override
  public Episode reset(EpisodeStart start) {
    boolean kept = split.splits() && start.purpose().equals("val");
    return episode(split.draw(start, seed -> tasks.of(seed, kept), SiteQuestion::subject));
  }

  private Episode episode(SiteQuestion task) {
    return viewport.isPresent()
        ? new PictureEpisode(this, task, viewport.get())
        : new TextEpisode(this, task);
  }

  @Override
  public boolean readsSpecialTokens() {
    return true;
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
   * Returns the reward of an answer.
   *
   * @param overlap F1 of its words, 1 if it is correct
   * @param actions number of actions, including the answer
   */
  double reward(double overlap, int actions) {
    double credit = overlap == 1 || partialCredit ? overlap : 0;
    return credit * Math.max(0, 1 - actionCost * actions);
  }

  ObservationMode observation() {
    return observation;
  }

  /** Returns the format of the agent's actions. */
  ActionFormat format() {
    return format;
  }

  int maxSteps() {
    return maxSteps;
  }

  /** Returns whether observations list the kinds of actions. */
  boolean listsActions() {
    return listActions;
  }

  /** Returns whether links of a list are named by their text rather than their number. */
  boolean clicksByWords() {
    return byWords;
  }

  /** Returns whether the expert quotes the sentence with the answer. */
  boolean quotes() {
    return quotes;
  }

  double formatPenalty() {
    return formatPenalty;
  }

  ActionParser parser() {
    return parser;
  }
}
