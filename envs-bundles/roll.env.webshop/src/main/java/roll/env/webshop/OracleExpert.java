package roll.env.webshop;

import java.util.List;
import java.util.Locale;
import roll.env.webshop.ShopPage.Bought;
import roll.env.webshop.ShopPage.Details;
import roll.env.webshop.ShopPage.Home;
import roll.env.webshop.ShopPage.Item;
import roll.env.webshop.ShopPage.Results;
import roll.env.webshop.catalog.Goal;
import roll.env.webshop.catalog.Product;

/**
 * An expert that knows the product of the goal: searches for its title, turns pages until it is
 * shown, selects the requested options and buys.
 *
 * @param site the shop
 * @param goal the goal
 */
record OracleExpert(ShopSite site, Goal goal) implements Expert {
  @Override
  public String next(ShopPage page) {
    return switch (page) {
      case Home _ -> "search[" + search() + "]";
      case Results results -> onResults(results);
      case Item item when !item.product().equals(goal.product()) -> Expert.click(ShopSite.BACK);
      case Item item -> Expert.click(Expert.missing(item, goal).orElse(ShopSite.BUY));
      case Details _ -> Expert.click(ShopSite.PREV);
      case Bought _ -> throw new IllegalStateException("it is bought");
    };
  }

  /** Returns the first query, of the title and longer descriptions, that finds the product. */
  private String search() {
    Product product = goal.product();
    String title = product.title().toLowerCase(Locale.ROOT);
    List<String> searches = List.of(title, title + " " + product.query(), product.document());
    return searches.stream()
        .map(words -> words.replaceAll("[\\[\\]<>\\n]", " "))
        .filter(words -> site.catalog().search(words).contains(product))
        .findFirst()
        .orElse(title);
  }

  private String onResults(Results results) {
    int place = results.found().indexOf(goal.product());
    if (place < 0) {
      return Expert.click(ShopSite.BACK);
    }
    int number = place / results.perPage() + 1;
    return number > results.number()
        ? Expert.click(ShopSite.NEXT)
        : number < results.number()
            ? Expert.click(ShopSite.PREV)
            : Expert.click(results.numberOf(goal.product()));
  }
}
