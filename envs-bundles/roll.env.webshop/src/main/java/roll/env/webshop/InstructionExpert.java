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
import roll.env.webshop.catalog.Goal;
import roll.env.webshop.catalog.Keywords;
import roll.env.webshop.catalog.Product;

/**
 * An expert with the knowledge of a model: the instruction and the pages. It searches for the
 * requested attributes and kind of product, opens the first result within the price, selects the
 * requested options that the product has, and buys.
 *
 * @param goal the goal; of its product only facts in the instruction are used
 */
record InstructionExpert(Goal goal) implements Expert {
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

  /** Returns the attributes and kind in the instruction; without them, its keywords. */
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

  /** Returns the first product within the price, otherwise the first one. */
  private Optional<Product> best(Results results) {
    List<Product> shown = results.shown();
    return shown.stream()
        .filter(product -> dearest(product.priceTag()) <= goal.priceUpper())
        .findFirst()
        .or(() -> shown.stream().findFirst());
  }

  /** Returns the higher price of a tag such as {@code $10.0 to $12.5}. */
  private static double dearest(String tag) {
    return Double.parseDouble(tag.substring(tag.lastIndexOf('$') + 1));
  }
}
