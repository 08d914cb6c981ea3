package roll.env.webshop;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import roll.api.data.RandomStreams;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.env.webshop.Shops.Source;
import roll.env.webshop.catalogue.Goal;
import roll.env.webshop.catalogue.Goals;
import roll.env.webshop.catalogue.ShopFiles;
import roll.grid.ActionParser;

/** A shop with the instructions that are used, and the rules of an episode. */
final class WebshopScenario implements Scenario {
  private static final int GENERATED = 1_000;

  private final ShopSite site;
  private final List<Goal> goals;
  private final int maxSteps;
  private final double formatPenalty;
  private final ActionParser parser;
  private final String instruction;

  WebshopScenario(Options options, Shops shops) {
    options.word("observation_mode", "text");
    if (options.has("server")) {
      throw new UserException(
          options.where()
              + ".server: leave it out, sessions with the same products share one shop");
    }
    maxSteps = options.integer("max_steps", 1, Integer.MAX_VALUE);
    formatPenalty = options.number("format_penalty", -Double.MAX_VALUE, Double.MAX_VALUE);
    parser = new ActionParser(options, Map.of());
    instruction = options.text("env_instruction");
    Shop shop = shops.get(source(options));
    site = new ShopSite(shop.catalogue(), options.flag("show_attrs"));
    goals = goals(options, shop);
  }

  private static Source source(Options options) {
    boolean generated = !options.has("file_path");
    int most =
        options.has("num_products")
            ? options.integer("num_products", 1, 10_000_000)
            : generated ? GENERATED : Integer.MAX_VALUE;
    return new Source(ShopFiles.of(options), most);
  }

  private static List<Goal> goals(Options options, Shop shop) {
    boolean human = options.flag("human_goals");
    List<Goal> goals = human ? shop.humanGoals() : shop.goals();
    if (goals.isEmpty()) {
      throw options.wrong(
          "human_goals",
          (human ? "false" : "true") + ", for the products have no such instructions");
    }
    if (options.has("filter_goals")) {
      Pattern pattern = pattern(options);
      goals = goals.stream().filter(goal -> pattern.matcher(goal.instruction()).find()).toList();
      if (goals.isEmpty()) {
        throw options.wrong("filter_goals", "an expression that some instruction contains");
      }
    }
    int limit = options.integer("limit_goals", -1, Integer.MAX_VALUE);
    if (limit == 0) {
      throw options.wrong("limit_goals", "-1 (all) or a whole number from 1");
    }
    return limit < 0 ? goals : Goals.limited(goals, limit);
  }

  private static Pattern pattern(Options options) {
    try {
      return Pattern.compile(options.text("filter_goals"), Pattern.CASE_INSENSITIVE);
    } catch (PatternSyntaxException e) {
      throw options.wrong("filter_goals", "a regular expression (" + e.getDescription() + ")");
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
