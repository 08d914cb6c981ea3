package roll.env.webshop;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import roll.api.data.RandomStreams;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Scenario;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.env.webshop.Shops.Source;
import roll.env.webshop.catalog.Goal;
import roll.env.webshop.catalog.ProductNumbers;
import roll.env.webshop.catalog.ShopFiles;
import roll.grid.ActionParser;
import roll.grid.ObservationMode;

/** The shop, goals and rules of episodes. */
final class WebshopScenario implements Scenario {
  private static final int GENERATED = 1_000;

  private static final Option<Integer> NUM_PRODUCTS =
      Option.integer(
          "num_products",
          1,
          10_000_000,
          "maximum number of products; by default all, or " + GENERATED + " generated");
  private static final Option<Boolean> SHOW_ATTRS =
      Option.flag("show_attrs", "product pages link to attributes").withDefault(false);
  private static final Option<Integer> RESULTS_PER_PAGE =
      Option.integer("results_per_page", 1, 50, "products per page of results").withDefault(10);
  private static final Option<String> PRODUCT_NUMBERS =
      Option.choice(
              "product_numbers",
              List.of("asin", "rank"),
              "names of products in results: WebShop's numbers, or their ranks in the results")
          .withDefault("asin");
  private static final Option<Boolean> LIST_ACTIONS =
      Option.flag("list_actions", "whether an observation ends with the list of actions")
          .withDefault(true);
  private static final Option<String> EXPERT =
      Option.choice(
              "expert",
              List.of("product", "seen"),
              "knowledge of the expert: the product of the goal, or the instruction and the pages")
          .withDefault("product");
  private static final Option<Boolean> QUOTES =
      Option.flag(
              "quotes",
              "whether the expert quotes the instruction before it selects an option;"
                  + " `action_pattern` must find the action after it")
          .withDefault(false);
  private static final Option<Integer> MAX_STEPS =
      Option.integer("max_steps", 1, Integer.MAX_VALUE, "maximum turns of an episode")
          .withDefault(10);
  private static final Option<Double> FORMAT_PENALTY =
      Option.number("format_penalty", "reward of a response without a match of `action_pattern`")
          .withDefault(0.0);
  private static final Option<String> INSTRUCTION =
      Option.text(
              "env_instruction", "instruction before the first observation; empty: no instruction")
          .withDefault(
              "You shop on the web. Search for what the instruction asks for, open a product,"
                  + " choose its options and buy it.\n"
                  + "Your actions are search[keywords] on the search page and click[button] for"
                  + " everything else that the page offers.");
  private static final String TEXT = "text";
  private static final Option<String> OBSERVATION_MODE =
      Option.choice(
              "observation_mode",
              List.of(TEXT),
              "WebShop's text format, the only one; see `observation`")
          .withDefault(TEXT);
  private static final Option<String> SERVER =
      Option.text("server", "not supported: sessions share one shop");

  /** The options of goals and episodes. */
  static final List<Option<?>> OPTIONS =
      Stream.of(
              List.of(NUM_PRODUCTS),
              GoalSplit.OPTIONS,
              List.of(
                  SHOW_ATTRS,
                  RESULTS_PER_PAGE,
                  PRODUCT_NUMBERS,
                  LIST_ACTIONS,
                  EXPERT,
                  QUOTES,
                  MAX_STEPS,
                  FORMAT_PENALTY,
                  ActionParser.PATTERN,
                  ActionParser.SPECIAL_TOKENS,
                  INSTRUCTION,
                  ObservationMode.OPTION,
                  OBSERVATION_MODE,
                  SERVER))
          .<Option<?>>flatMap(List::stream)
          .toList();

  private final ShopSite site;
  private final GoalSplit goals;
  private final boolean listActions;
  private final Expert.Knowledge expert;
  private final boolean quotes;
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
              + ": not supported, sessions with the same products share one shop");
    }
    maxSteps = options.get(MAX_STEPS);
    formatPenalty = options.get(FORMAT_PENALTY);
    parser = new ActionParser(options, Map.of());
    instruction = options.get(INSTRUCTION);
    observation = ObservationMode.of(options);
    Shop shop = shops.get(source(options));
    site =
        new ShopSite(
            shop.catalog(),
            options.get(SHOW_ATTRS),
            options.get(RESULTS_PER_PAGE),
            ProductNumbers.valueOf(options.get(PRODUCT_NUMBERS).toUpperCase(Locale.ROOT)));
    goals = GoalSplit.of(options, shop);
    listActions = options.get(LIST_ACTIONS);
    expert = Expert.Knowledge.valueOf(options.get(EXPERT).toUpperCase(Locale.ROOT));
    quotes = options.get(QUOTES);
  }

  /** Returns whether the number of products is at most the default of generated ones. */
  static boolean isSmall(Options options) {
    return options.find(NUM_PRODUCTS).orElse(GENERATED) <= GENERATED;
  }

  private static Source source(Options options) {
    ShopFiles files = ShopFiles.of(options);
    int all = files.products().isEmpty() ? GENERATED : Integer.MAX_VALUE;
    return new Source(files, options.find(NUM_PRODUCTS).orElse(all));
  }

  @Override
  public String instruction() {
    return instruction;
  }

  @Override
  public Episode reset(long seed) {
    return new WebshopEpisode(this, drawn(goals.training(), seed));
  }

  /** Starts an episode; with {@code val_share}, validation goes through its own goals in order. */
  @Override
  public Episode reset(EpisodeStart start) {
    boolean own = goals.parted() && start.purpose().equals("val");
    List<Goal> kept = goals.validation();
    return own
        ? new WebshopEpisode(this, kept.get((int) (start.position() % kept.size())))
        : reset(start.seed());
  }

  private static Goal drawn(List<Goal> goals, long seed) {
    return goals.get(RandomStreams.of(seed, "roll.env.webshop/goal").nextInt(goals.size()));
  }

  @Override
  public boolean readsSpecialTokens() {
    return true;
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

  /** Returns the goals of training; all of them without {@code val_share}. */
  List<Goal> goals() {
    return goals.training();
  }

  /** Returns the goals of validation episodes. */
  List<Goal> validationGoals() {
    return goals.validation();
  }

  boolean listActions() {
    return listActions;
  }

  Expert.Knowledge expert() {
    return expert;
  }

  boolean quotes() {
    return quotes;
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
