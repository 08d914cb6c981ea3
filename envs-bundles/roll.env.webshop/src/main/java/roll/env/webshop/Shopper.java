package roll.env.webshop;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import roll.env.webshop.ShopPage.Bought;
import roll.env.webshop.ShopPage.Details;
import roll.env.webshop.ShopPage.Home;
import roll.env.webshop.ShopPage.Item;
import roll.env.webshop.ShopPage.Results;
import roll.env.webshop.catalogue.Goal;
import roll.env.webshop.catalogue.Keywords;
import roll.env.webshop.catalogue.Product;

/**
 * A shopper who knows the instruction and sees the pages, as a model does: searches for the
 * properties and the kind of thing asked for, opens the first result that is not too dear, chooses
 * the options asked for as far as the product has them, and buys.
 *
 * @param goal what to buy; of its product only what the instruction says is used
 */
record Shopper(Goal goal) implements Expert {
  @Override
  public String next(ShopPage page) {
    return switch (page) {
      case Home _ -> "search[" + search() + "]";
      case Results results ->
          Expert.click(best(results).map(results::numberOf).orElse(ShopSite.BACK));
      case Item item -> Expert.click(Expert.missing(item, goal).orElse(ShopSite.BUY));
      case Details _ -> Expert.click(ShopSite.PREV);
      case Bought _ -> throw new IllegalStateException("it is bought");
    };
  }

  /** The properties and the kind asked for in these words; otherwise all telling words. */
  private String search() {
    String instruction = goal.instruction().toLowerCase(Locale.ROOT);
    List<String> told =
        Stream.concat(goal.attributes().stream(), Stream.of(goal.product().query()))
            .map(words -> words.toLowerCase(Locale.ROOT))
            .filter(words -> !words.isBlank() && instruction.contains(words))
            .toList();
    return told.isEmpty()
        ? Keywords.of(goal.instruction()).getFirst()
        : String.join(" ", told).replaceAll("[\\[\\]<>\\n]", " ");
  }

  /** The first product shown that certainly costs no more than allowed, or else the first. */
  private Optional<Product> best(Results results) {
    List<Product> shown = results.shown();
    return shown.stream()
        .filter(product -> dearest(product.priceTag()) <= goal.priceUpper())
        .findFirst()
        .or(() -> shown.stream().findFirst());
  }

  /** The higher price of a tag such as {@code $10.0 to $12.5}. */
  private static double dearest(String tag) {
    return Double.parseDouble(tag.substring(tag.lastIndexOf('$') + 1));
  }
}
