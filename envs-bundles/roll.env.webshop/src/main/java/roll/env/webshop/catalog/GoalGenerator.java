package roll.env.webshop.catalog;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import roll.api.data.RandomStreams;
import roll.env.webshop.catalog.Product.Wish;

/** Creates goals from products as WebShop does, with its fixed seed. */
public final class GoalGenerator {
  /** Seed with which WebShop shuffles its goals. */
  static final long SEED = 233;

  /** Maximum number of goals of one product. */
  private static final int MOST_COMBINATIONS = 10_000;

  private GoalGenerator() {}

  /**
   * Returns goals from generated instructions, one for each combination of option values.
   *
   * @param oneEach whether each product has only one goal, with a random combination
   */
  public static List<Goal> generated(List<Product> products, boolean oneEach) {
    List<Goal> goals = new ArrayList<>();
    for (int i = 0; i < products.size(); i++) {
      Product product = products.get(i);
      if (product.wish().isEmpty()) {
        continue;
      }
      Wish wish = product.wish().get();
      double limit = limit(product.price(), RandomStreams.of(SEED, "roll.env.webshop/limit", i));
      List<Map<String, String>> combinations =
          oneEach
              ? List.of(draw(product, RandomStreams.of(SEED, "roll.env.webshop/options", i)))
              : combinations(product);
      for (Map<String, String> options : combinations) {
        String chosen =
            options.entrySet().stream()
                .map(option -> option.getKey() + ": " + option.getValue())
                .collect(Collectors.joining(", and "));
        String text = wish.text() + (chosen.isEmpty() ? "" : " with " + chosen) + price(limit);
        List<String> values = List.copyOf(options.values());
        goals.add(new Goal(product, text, wish.attributes(), values, limit, 1));
      }
    }
    return shuffled(weighed(goals));
  }

  /** Returns goals from instructions that humans wrote. */
  public static List<Goal> human(List<Product> products) {
    List<Goal> goals = new ArrayList<>();
    for (int i = 0; i < products.size(); i++) {
      Product product = products.get(i);
      for (int j = 0; j < product.humanWishes().size(); j++) {
        Wish wish = product.humanWishes().get(j);
        double limit =
            limit(product.price(), RandomStreams.of(SEED, "roll.env.webshop/human", i, j));
        String text = wish.text().replaceAll("^\\.+|(?<!\\.)\\.+$", "") + price(limit);
        goals.add(new Goal(product, text, wish.attributes(), wish.options(), limit, 1));
      }
    }
    return shuffled(goals);
  }

  /**
   * Returns {@code limit} goals sampled by weight without replacement, with WebShop's fixed seed
   * (Efraimidis and Spirakis 2006).
   */
  public static List<Goal> limited(List<Goal> goals, int limit) {
    if (limit >= goals.size()) {
      return goals;
    }
    RandomGenerator random = RandomStreams.of(SEED, "roll.env.webshop/limit_goals");
    return goals.stream()
        .map(goal -> new Arrival(goal, random.nextExponential() / goal.weight()))
        .sorted(Comparator.comparingDouble(Arrival::time))
        .limit(limit)
        .map(Arrival::goal)
        .toList();
  }

  /** A goal and its random arrival time: the heavier, the earlier. */
  private record Arrival(Goal goal, double time) {}

  /**
   * Returns the price limit: the larger of two random multiples of ten among the first four above
   * the price, up to 990; no limit if fewer than two remain.
   */
  private static double limit(double price, RandomGenerator random) {
    int first = (int) Math.floor(price / 10) + 1;
    int tens = Math.min(4, 99 - first + 1);
    if (tens < 2) {
      return Goal.NO_LIMIT;
    }
    int one = random.nextInt(tens);
    int other = (one + 1 + random.nextInt(tens - 1)) % tens;
    return 10.0 * (first + Math.max(one, other));
  }

  private static String price(double limit) {
    return limit == Goal.NO_LIMIT
        ? ""
        : String.format(Locale.ROOT, ", and price lower than %.2f dollars", limit);
  }

  private static Map<String, String> draw(Product product, RandomGenerator random) {
    Map<String, String> options = new TreeMap<>();
    product
        .options()
        .forEach((name, values) -> options.put(name, values.get(random.nextInt(values.size()))));
    return options;
  }

  /** Returns every combination of values, with options in order of their names. */
  private static List<Map<String, String>> combinations(Product product) {
    List<Map<String, String>> all = List.of(Map.of());
    for (var option : new TreeMap<>(product.options()).entrySet()) {
      List<Map<String, String>> longer = new ArrayList<>();
      for (Map<String, String> start : all) {
        for (String value : option.getValue()) {
          if (longer.size() < MOST_COMBINATIONS) {
            Map<String, String> more = new TreeMap<>(start);
            more.put(option.getKey(), value);
            longer.add(more);
          }
        }
      }
      all = longer;
    }
    return all;
  }

  /** Sets the weights: the mean of the reciprocal frequencies of a goal's attributes. */
  private static List<Goal> weighed(List<Goal> goals) {
    Map<String, Integer> counts = new HashMap<>();
    goals.forEach(goal -> goal.attributes().forEach(a -> counts.merge(a, 1, Integer::sum)));
    return goals.stream()
        .map(
            goal ->
                goal.weighing(
                    goal.attributes().stream()
                        .mapToDouble(attribute -> 1.0 / counts.getOrDefault(attribute, 1))
                        .average()
                        .orElse(1)))
        .toList();
  }

  private static List<Goal> shuffled(List<Goal> goals) {
    List<Goal> shuffled = new ArrayList<>(goals);
    Collections.shuffle(shuffled, Random.from(RandomStreams.of(SEED, "roll.env.webshop/order")));
    return List.copyOf(shuffled);
  }
}
