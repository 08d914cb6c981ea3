package roll.env.webshop.catalog;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The reward of a purchase: type · (attributes + options + price) / (requested attributes and
 * options + 1), as in WebShop (Yao et al. 2022, section 3 and goal.py).
 *
 * @param attributes number of requested attributes that the product has
 * @param options number of requested options that were chosen
 * @param price whether the price is within the limit
 * @param type match of the kind of product: 1, 0.5, 0.1 or 0
 * @param total the reward, 0 to 1
 */
public record PurchaseReward(
    int attributes, int options, boolean price, double type, double total) {
  private static final int ALIKE = 85;

  /** WebShop's colors; the first one in a value represents the value. */
  private static final List<String> COLORS =
      List.of(
          """
          alabaster apricot aqua ash asphalt azure banana beige black blue blush bordeaux bronze
          brown burgundy camel camo caramel champagne charcoal cheetah chestnut chocolate christmas
          coffee cognac copper coral cranberry cream crystal dark denim eggplant elephant espresso
          fuchsia gold granite grape graphite grass gray green grey heather indigo ivory ivy khaki
          lavender lemon leopard light lilac lime magenta maroon mauve merlot midnight mint mocha
          multicolor mushroom mustard natural navy nude olive orange peach pewter pink plum purple
          rainbow red rose royal rust sand sapphire seashell silver skull slate steel stone
          stonewash sunflower tan taupe teal tiger turquoise violet walnut wheat white wine yellow
          """
              .strip()
              .split("\\s+"));

  /** Returns the reward of buying {@code bought} with the option values {@code chosen}. */
  public static PurchaseReward of(Goal goal, Product bought, Collection<String> chosen) {
    int attributes = 0;
    for (String attribute : goal.attributes()) {
      attributes += has(bought, attribute) ? 1 : 0;
    }
    int options = 0;
    for (String option : goal.options()) {
      options += chosen.stream().anyMatch(value -> sameOption(value, option)) ? 1 : 0;
    }
    boolean price = bought.price() <= goal.priceUpper();
    double type = type(goal.product(), bought);
    int asked = goal.attributes().size() + goal.options().size() + 1;
    double total = type * (attributes + options + (price ? 1 : 0)) / asked;
    return new PurchaseReward(attributes, options, price, type, total);
  }

  private static boolean has(Product product, String attribute) {
    return product.attributes().stream().anyMatch(own -> TokenSetRatio.of(own, attribute) > ALIKE)
        || product.title().toLowerCase(Locale.ROOT).contains(attribute)
        || String.join(" ", product.bullets()).toLowerCase(Locale.ROOT).contains(attribute)
        || product.description().toLowerCase(Locale.ROOT).contains(attribute);
  }

  /** Returns whether a chosen value matches a requested one. */
  public static boolean sameOption(String chosen, String asked) {
    return TokenSetRatio.of(color(chosen), color(asked)) > ALIKE;
  }

  private static String color(String value) {
    return COLORS.stream().filter(value::contains).findFirst().orElse(value);
  }

  private static double type(Product wanted, Product bought) {
    double title = titleScore(wanted.title(), bought.title());
    if (title == 0) {
      return 0;
    }
    if (title < 0.1) {
      return 0.1;
    }
    Set<String> common = categories(wanted);
    common.retainAll(categories(bought));
    boolean match = wanted.query().equals(bought.query()) || common.size() >= 2 || title > 0.2;
    return match ? 1 : 0.5;
  }

  private static double titleScore(String wanted, String bought) {
    Set<String> nouns = TitleNouns.of(wanted);
    if (nouns.isEmpty()) {
      return 0.2;
    }
    Set<String> common = new HashSet<>(nouns);
    common.retainAll(TitleNouns.of(bought));
    return (double) common.size() / nouns.size();
  }

  private static Set<String> categories(Product product) {
    return Arrays.stream(product.path().split("›", -1))
        .map(String::strip)
        .collect(Collectors.toCollection(HashSet::new));
  }
}
