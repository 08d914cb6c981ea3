package roll.env.webshop;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import roll.api.data.RandomStreams;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.env.webshop.Shops.Source;
import roll.env.webshop.catalogue.Goal;
import roll.env.webshop.catalogue.Goals;
import roll.env.webshop.catalogue.ShopFiles;
import roll.grid.ActionParser;
import roll.grid.ObservationMode;

/** A shop with the instructions that are used, and the rules of an episode. */
final class WebshopScenario implements Scenario {
  private static final int GENERATED = 1_000;

  private static final Option<Integer> NUM_PRODUCTS =
      Option.integer(
          "num_products", 1, 10_000_000, "the first so many products; absent, all or " + GENERATED);
  private static final Option<Boolean> HUMAN_GOALS =
      Option.flag(
              "human_goals",
              "instructions of people; on the generated catalogue: as people might ask")
          .withDefault(false);
  private static final Option<String> FILTER_GOALS =
      Option.text(
          "filter_goals",
          "regular expression, in any case; instructions that do not contain it are left out");
  private static final Option<Integer> LIMIT_GOALS =
      Option.integer(
              "limit_goals",
              -1,
              Integer.MAX_VALUE,
              "most instructions, drawn with a fixed seed, those with rare attributes more often;"
                  + " -1 takes all")
          .withDefault(-1);
  private static final Option<Boolean> SHOW_ATTRS =
      Option.flag("show_attrs", "a product's page leads to its attributes").withDefault(false);
  private static final Option<Integer> MAX_STEPS =
      Option.integer("max_steps", 1, Integer.MAX_VALUE, "turns after which the episode is cut")
          .withDefault(10);
  private static final Option<Double> FORMAT_PENALTY =
      Option.number(
              "format_penalty", "reward of a response in which `action_pattern` finds nothing")
          .withDefault(0.0);
  private static final Option<String> INSTRUCTION =
      Option.text("env_instruction", "told once, before the first observation; empty tells nothing")
          .withDefault(
              "You shop on the web. Search for what the instruction asks for, open a product,"
                  + " choose its options and buy it.\n"
                  + "Your actions are search[keywords] on the search page and click[button] for"
                  + " everything else that the page offers.");
  private static final String TEXT = "text";
  private static final Option<String> OBSERVATION_MODE =
      Option.word(
              "observation_mode",
              List.of(TEXT),
              "WebShop's format of the text; nothing else is allowed. Whether there is a text is"
                  + " said by `observation`")
          .withDefault(TEXT);
  private static final Option<String> SERVER =
      Option.text("server", "no value is allowed: sessions share one shop without it");

  /** What is asked of goals and episodes. */
  static final List<Option<?>> OPTIONS =
      List.of(
          NUM_PRODUCTS,
          HUMAN_GOALS,
          FILTER_GOALS,
          LIMIT_GOALS,
          SHOW_ATTRS,
          MAX_STEPS,
          FORMAT_PENALTY,
          ActionParser.PATTERN,
          ActionParser.SPECIAL_TOKENS,
          INSTRUCTION,
          ObservationMode.OPTION,
          OBSERVATION_MODE,
          SERVER);

  private final ShopSite site;
  private final List<Goal> goals;
  private final int maxSteps;
  private final double formatPenalty;
  private final ActionParser parser;
  private final String instruction;
  private final ObservationMode observation;

  WebshopScenario(Options options, Shops shops) {
    if (options.has(SERVER)) {
      throw new UserException(
          options.where()
              + "."
              + SERVER.name()
              + ": leave it out, sessions with the same products share one shop");
    }
    maxSteps = options.get(MAX_STEPS);
    formatPenalty = options.get(FORMAT_PENALTY);
    parser = new ActionParser(options, Map.of());
    instruction = options.get(INSTRUCTION);
    observation = ObservationMode.of(options);
    Shop shop = shops.get(source(options));
    site = new ShopSite(shop.catalogue(), options.get(SHOW_ATTRS));
    goals = goals(options, shop);
  }

  private static Source source(Options options) {
    ShopFiles files = ShopFiles.of(options);
    int all = files.products().isEmpty() ? GENERATED : Integer.MAX_VALUE;
    return new Source(files, options.find(NUM_PRODUCTS).orElse(all));
  }

  private static List<Goal> goals(Options options, Shop shop) {
    boolean human = options.get(HUMAN_GOALS);
    List<Goal> goals = human ? shop.humanGoals() : shop.goals();
    if (goals.isEmpty()) {
      throw options.wrong(
          HUMAN_GOALS, (human ? "false" : "true") + ", for the products have no such instructions");
    }
    if (options.has(FILTER_GOALS)) {
      Pattern pattern = pattern(options);
      goals = goals.stream().filter(goal -> pattern.matcher(goal.instruction()).find()).toList();
      if (goals.isEmpty()) {
        throw options.wrong(FILTER_GOALS, "an expression that some instruction contains");
      }
    }
    int limit = options.get(LIMIT_GOALS);
    if (limit == 0) {
      throw options.wrong(LIMIT_GOALS, "-1 (all) or a whole number from 1");
    }
    return limit < 0 ? goals : Goals.limited(goals, limit);
  }

  private static Pattern pattern(Options options) {
    try {
      return Pattern.compile(options.get(FILTER_GOALS), Pattern.CASE_INSENSITIVE);
    } catch (PatternSyntaxException e) {
      throw options.wrong(FILTER_GOALS, "a regular expression (" + e.getDescription() + ")");
    }
  }

  @Override
  public String instruction() {
    return instruction;
  }

  @Override
  public Episode reset(long seed) {
    int goal = RandomStreams.of(seed, "roll.env.webshop/goal").nextInt(goals.size());
    return new WebshopEpisode(this, goals.get(goal));
  }

  @Override
  public Map<String, Aggregation> aggregations() {
    Map<String, Aggregation> how = new LinkedHashMap<>();
    how.put("action_is_effective", Aggregation.MEAN);
    how.put("action_is_valid", Aggregation.MEAN);
    how.put("success", Aggregation.LAST);
    how.put("purchased", Aggregation.LAST);
    how.put("format_penalty", Aggregation.MEAN);
    return how;
  }

  ShopSite site() {
    return site;
  }

  List<Goal> goals() {
    return goals;
  }

  ObservationMode observation() {
    return observation;
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
