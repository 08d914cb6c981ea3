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
import roll.env.webshop.catalog.Goal;
import roll.env.webshop.catalog.GoalGenerator;
import roll.env.webshop.catalog.Product;
import roll.text.BoundedSearch;

/**
 * The goals of training and validation.
 *
 * @param training goals of training, in a fixed random order
 * @param validation goals of validation; the same without {@code val_share}, disjoint with it
 */
record GoalSplit(List<Goal> training, List<Goal> validation) {
  private static final Option<Boolean> HUMAN_GOALS =
      Option.flag("human_goals", "human instructions; for the generated catalog, imitated ones")
          .withDefault(false);
  private static final Option<String> FILTER_GOALS =
      Option.text(
          "filter_goals", "case-insensitive regular expression; other instructions are dropped");
  private static final Option<Integer> LIMIT_GOALS =
      Option.integer(
              "limit_goals",
              -1,
              Integer.MAX_VALUE,
              "maximum instructions, sampled with a fixed seed and weighted toward rare attributes;"
                  + " -1: all")
          .withDefault(-1);
  private static final Option<Double> VAL_SHARE =
      Option.number(
              "val_share",
              0,
              1,
              "share of the goal products reserved for validation;"
                  + " 0: training and validation have the same instructions")
          .withDefault(0.0);

  /** Options of goals in {@code env_config}. */
  static final List<Option<?>> OPTIONS = List.of(HUMAN_GOALS, FILTER_GOALS, LIMIT_GOALS, VAL_SHARE);

  /**
   * Returns the goals of {@code shop} for {@code options}.
   *
   * @throws roll.api.option.UserException if none remain for training or for validation
   */
  static GoalSplit of(Options options, Shop shop) {
    List<Goal> goals = goals(options, shop);
    double share = options.get(VAL_SHARE);
    return share == 0 ? new GoalSplit(goals, goals) : parted(goals, share, options);
  }

  /** Returns whether validation has separate goals. */
  boolean parted() {
    return !training.equals(validation);
  }

  /** Splits by product; no instruction is in both, even if two products have the same one. */
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
          HUMAN_GOALS,
          (human ? "false" : "true") + ", since the products have no such instructions");
    }
    if (options.has(FILTER_GOALS)) {
      Pattern pattern = pattern(options);
      goals =
          goals.stream().filter(goal -> BoundedSearch.finds(pattern, goal.instruction())).toList();
      if (goals.isEmpty()) {
        throw options.wrong(FILTER_GOALS, "an expression that matches some instruction");
      }
    }
    int limit = options.get(LIMIT_GOALS);
    if (limit == 0) {
      throw options.wrong(LIMIT_GOALS, "-1 (all) or an integer from 1");
    }
    return limit < 0 ? goals : GoalGenerator.limited(goals, limit);
  }

  private static Pattern pattern(Options options) {
    try {
      return Pattern.compile(options.get(FILTER_GOALS), Pattern.CASE_INSENSITIVE);
    } catch (PatternSyntaxException e) {
      throw options.wrong(FILTER_GOALS, "a regular expression (" + e.getDescription() + ")");
    }
  }
}
