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
      Option.integer("max_steps", 1, Integer.MAX_VALUE, "actions after which the episode is cut")
          .withDefault(5);
  private static final Option<Double> ACTION_COST =
      Option.number("action_cost", 0, 1, "what each action takes of the reward").withDefault(0.1);
  private static final Option<Boolean> PARTIAL_CREDIT =
      Option.flag(
              "partial_credit",
              "whether an answer with some of the right words counts by its F1; else it counts"
                  + " nothing")
          .withDefault(true);
  private static final Option<Double> FORMAT_PENALTY =
      Option.number(
              "format_penalty", "reward of a response in which `action_pattern` finds nothing")
          .withDefault(0.0);
  private static final Option<String> INSTRUCTION =
      Option.text(
          "env_instruction",
          "told once, before the first observation, in words for what is observed; empty tells"
              + " nothing");

  private static final Option<Boolean> LIST_ACTIONS =
      Option.flag("list_actions", "whether an observation ends with the kinds of actions")
          .withDefault(true);

  private static final Option<String> CLICK_BY =
      Option.choice(
              "click_by",
              List.of("number", "words"),
              "how clicks on links of a list are told, listed and played by the expert; either way"
                  + " both are read")
          .withDefault("number");

  private static final Option<Boolean> QUOTES =
      Option.flag(
              "quotes",
              "whether the expert, before an answer, writes the sentence in which it stands;"
                  + " `action_pattern` has to find the action behind it")
          .withDefault(false);

  private static final String UI_TARS = "ui_tars";
  private static final Option<String> ACTION_FORMAT =
      Option.choice(
              "action_format",
              List.of("brackets", UI_TARS),
              "how actions are told and listed; either way both are read. `ui_tars` is what the"
                  + " agent type `gui` writes, for `observation: picture`")
          .withDefault("brackets");
  private static final Option<String> OBSERVATION_MODE =
      Option.choice(
          "observation_mode",
          List.of("text", "picture"),
          "an older name of `observation`; the two must not contradict each other");

  /** What is asked of an episode. */
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
  private final Optional<Eyes> eyes;
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
    eyes =
        observation.showsPicture()
            ? Optional.of(browsers.eyes(options, observation.showsText()))
            : Optional.empty();
  }

  /** Whether no picture is shown with {@code options}. */
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
          "brackets where "
              + ObservationMode.OPTION.name()
              + " is not picture: lists are numbered");
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

  /** Validation has sites and subjects of its own where {@code val_share} says so. */
  @Override
  public Episode reset(EpisodeStart start) {
    boolean kept = split.splits() && start.purpose().equals("val");
    return episode(split.draw(start, seed -> tasks.of(seed, kept), SiteQuestion::subject));
  }

  private Episode episode(SiteQuestion task) {
    return eyes.isPresent()
        ? new PictureEpisode(this, task, eyes.get())
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
   * What an answer is worth.
   *
   * @param overlap F1 of its words, 1 where it is right
   * @param actions actions made, the answer among them
   */
  double reward(double overlap, int actions) {
    double credit = overlap == 1 || partialCredit ? overlap : 0;
    return credit * Math.max(0, 1 - actionCost * actions);
  }

  ObservationMode observation() {
    return observation;
  }

  /** How actions are written for the agent to read. */
  ActionFormat format() {
    return format;
  }

  int maxSteps() {
    return maxSteps;
  }

  /** Whether observations say what can be done. */
  boolean listsActions() {
    return listActions;
  }

  /** Whether links of a list are named by their words rather than their numbers. */
  boolean clicksByWords() {
    return byWords;
  }

  /** Whether what the expert says before an answer is the sentence in which it stands. */
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
