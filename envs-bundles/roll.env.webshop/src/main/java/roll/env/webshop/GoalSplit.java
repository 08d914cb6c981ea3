package roll.env.webshop;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.env.webshop.catalogue.Goal;
import roll.env.webshop.catalogue.Goals;
import roll.env.webshop.catalogue.Product;
import roll.text.BoundedSearch;

/**
 * The goals that are used.
 *
 * @param training those of training, in a fixed random order
 * @param validation those of validation; the same without {@code val_share}, none of them with it
 */
record GoalSplit(List<Goal> training, List<Goal> validation) {
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
  private static final Option<Double> VAL_SHARE =
      Option.number(
              "val_share",
              0,
              1,
              "share of the products asked for that only validation asks for, and it asks for no"
                  + " others; 0: training and validation have the same instructions")
          .withDefault(0.0);

  /** Which goals are used. */
  static final List<Option<?>> OPTIONS = List.of(HUMAN_GOALS, FILTER_GOALS, LIMIT_GOALS, VAL_SHARE);

  /**
   * The goals of {@code shop} that {@code options} ask for.
   *
   * @throws roll.api.option.UserException if none is left, for training or for validation
   */
  static GoalSplit of(Options options, Shop shop) {
    List<Goal> goals = goals(options, shop);
    double share = options.get(VAL_SHARE);
    return share == 0 ? new GoalSplit(goals, goals) : parted(goals, share, options);
  }

  /** Whether validation has goals of its own. */
  boolean parted() {
    return !training.equals(validation);
  }

  /** By product, and no instruction is in both, though two products may be asked for alike. */
  private static GoalSplit parted(List<Goal> goals, double share, Options options) {
    Set<Product> asked = new LinkedHashSet<>();
    goals.forEach(goal -> asked.add(goal.product()));
    List<Product> products = new ArrayList<>(asked);
    int kept = products.size() - (int) Math.round(share * products.size());
    Set<Product> held = new HashSet<>(products.subList(kept, products.size()));
    List<Goal> validation = goals.stream().filter(goal -> held.contains(goal.product())).toList();
    Set<String> heard = new HashSet<>();
    validation.forEach(goal -> heard.add(goal.instruction()));
    List<Goal> training =
        goals.stream()
            .filter(goal -> !held.contains(goal.product()))
            .filter(goal -> !heard.contains(goal.instruction()))
            .toList();
    if (training.isEmpty() || validation.isEmpty()) {
      throw options.wrong(VAL_SHARE, "a share that leaves goals for training and for validation");
    }
    return new GoalSplit(training, validation);
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
      goals =
          goals.stream().filter(goal -> BoundedSearch.finds(pattern, goal.instruction())).toList();
      if (goals.isEmpty()) {
        throw options.wrong(FILTER_GOALS, "an expression that some instruction contains");
      }
    }
    int limit = options.get(LIMIT_GOALS);
    if (limit == 0) {
      throw options.wrong(LIMIT_GOALS, "-1 (all) or an integer from 1");
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
}
