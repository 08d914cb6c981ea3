package roll.env.webshop;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import roll.env.webshop.ShopPage.Bought;
import roll.env.webshop.ShopPage.Details;
import roll.env.webshop.ShopPage.Home;
import roll.env.webshop.ShopPage.Item;
import roll.env.webshop.ShopPage.Results;
import roll.env.webshop.catalogue.Goal;
import roll.env.webshop.catalogue.Product;
import roll.env.webshop.catalogue.PurchaseReward;

/**
 * A shopper who knows the product behind the instruction: searches for its title, turns pages until
 * it is there, chooses the options asked for and buys.
 *
 * @param site the shop
 * @param goal what to buy
 */
record Oracle(ShopSite site, Goal goal) {
  /** The action to take on {@code page}, which is not the last. */
  String next(ShopPage page) {
    return switch (page) {
      case Home _ -> "search[" + search() + "]";
      case Results results -> onResults(results);
      case Item item when !item.product().equals(goal.product()) -> click(ShopSite.BACK);
      case Item item -> click(missing(item).orElse(ShopSite.BUY));
      case Details _ -> click(ShopSite.PREV);
      case Bought _ -> throw new IllegalStateException("it is bought");
    };
  }

  /** The first of the title and ever longer descriptions that finds the product. */
  private String search() {
    Product product = goal.product();
    String title = product.title().toLowerCase(Locale.ROOT);
    List<String> searches = List.of(title, title + " " + product.query(), product.document());
    return searches.stream()
        .map(words -> words.replaceAll("[\\[\\]<>\\n]", " "))
        .filter(words -> site.catalogue().search(words).contains(product))
        .findFirst()
        .orElse(title);
  }

  private String onResults(Results results) {
    int place = results.found().indexOf(goal.product());
    if (place < 0) {
      return click(ShopSite.BACK);
    }
    int number = place / Results.PRODUCTS + 1;
    return number > results.number()
        ? click(ShopSite.NEXT)
        : number < results.number() ? click(ShopSite.PREV) : click(goal.product().asin());
  }

  /** A value still to be chosen. */
  private Optional<String> missing(Item item) {
    for (String asked : goal.options()) {
      if (item.chosen().values().stream().noneMatch(v -> PurchaseReward.sameOption(v, asked))) {
        Optional<String> value = value(item, asked);
        if (value.isPresent()) {
          return value;
        }
      }
    }
    return Optional.empty();
  }

  /** The value of an option not chosen yet that is as asked, best the very words. */
  private static Optional<String> value(Item item, String asked) {
    List<String> free =
        item.product().options().entrySet().stream()
            .filter(option -> !item.chosen().containsKey(option.getKey()))
            .map(Map.Entry::getValue)
            .flatMap(List::stream)
            .toList();
    return free.stream()
        .filter(asked::equalsIgnoreCase)
        .findFirst()
        .or(() -> free.stream().filter(v -> PurchaseReward.sameOption(v, asked)).findFirst());
  }

  private static String click(String label) {
    return "click[" + label.toLowerCase(Locale.ROOT) + "]";
  }
}
