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
import roll.env.webshop.catalogue.Goal;
import roll.env.webshop.catalogue.ProductNumbers;
import roll.env.webshop.catalogue.ShopFiles;
import roll.grid.ActionParser;
import roll.grid.ObservationMode;

/** A shop with the instructions that are used, and the rules of an episode. */
final class WebshopScenario implements Scenario {
  private static final int GENERATED = 1_000;

  private static final Option<Integer> NUM_PRODUCTS =
      Option.integer(
          "num_products", 1, 10_000_000, "the first so many products; absent, all or " + GENERATED);
  private static final Option<Boolean> SHOW_ATTRS =
      Option.flag("show_attrs", "a product's page leads to its attributes").withDefault(false);
  private static final Option<Integer> RESULTS_PER_PAGE =
      Option.integer("results_per_page", 1, 50, "products of a page of results").withDefault(10);
  private static final Option<String> PRODUCT_NUMBERS =
      Option.choice(
              "product_numbers",
              List.of("asin", "rank"),
              "what a page of results calls products: WebShop's numbers, or their ranks among what"
                  + " was found")
          .withDefault("asin");
  private static final Option<Boolean> LIST_ACTIONS =
      Option.flag(
              "list_actions", "the text ends with the actions that the page offers, word by word")
          .withDefault(true);
  private static final Option<String> EXPERT =
      Option.choice(
              "expert",
              List.of("product", "seen"),
              "what the expert knows: the product behind the instruction, or the instruction and"
                  + " what the pages show")
          .withDefault("product");
  private static final Option<Boolean> QUOTES =
      Option.flag(
              "quotes",
              "whether the expert, before it chooses an option, writes what the instruction says of"
                  + " it; `action_pattern` has to find the action behind it")
          .withDefault(false);
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
      Option.choice(
              "observation_mode",
              List.of(TEXT),
              "WebShop's format of the text; nothing else is allowed. Whether there is a text is"
                  + " said by `observation`")
          .withDefault(TEXT);
  private static final Option<String> SERVER =
      Option.text("server", "no value is allowed: sessions share one shop without it");

  /** What is asked of goals and episodes. */
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
              + ": leave it out, sessions with the same products share one shop");
    }
    maxSteps = options.get(MAX_STEPS);
    formatPenalty = options.get(FORMAT_PENALTY);
    parser = new ActionParser(options, Map.of());
    instruction = options.get(INSTRUCTION);
    observation = ObservationMode.of(options);
    Shop shop = shops.get(source(options));
    site =
        new ShopSite(
            shop.catalogue(),
            options.get(SHOW_ATTRS),
            options.get(RESULTS_PER_PAGE),
            ProductNumbers.valueOf(options.get(PRODUCT_NUMBERS).toUpperCase(Locale.ROOT)));
    goals = GoalSplit.of(options, shop);
    listActions = options.get(LIST_ACTIONS);
    expert = Expert.Knowledge.valueOf(options.get(EXPERT).toUpperCase(Locale.ROOT));
    quotes = options.get(QUOTES);
  }

  /** Whether {@code options} ask for no more products than are generated by default. */
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

  /** Validation has its own goals, if any are kept for it, and goes through them one by one. */
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

  /** The goals of training; all of them without {@code val_share}. */
  List<Goal> goals() {
    return goals.training();
  }

  /** The goals of validation. */
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
