package roll.env.webshop;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import roll.env.webshop.ShopPage.Bought;
import roll.env.webshop.ShopPage.Details;
import roll.env.webshop.ShopPage.Home;
import roll.env.webshop.ShopPage.Item;
import roll.env.webshop.ShopPage.Results;
import roll.env.webshop.ShopPage.Section;
import roll.env.webshop.catalog.Catalog;
import roll.env.webshop.catalog.Goal;
import roll.env.webshop.catalog.Product;
import roll.env.webshop.catalog.ProductNumbers;
import roll.env.webshop.catalog.PurchaseReward;

/** The pages of a shop: their elements and transitions. Immutable. */
final class ShopSite {
  static final String BACK = "Back to Search";
  static final String NEXT = "Next >";
  static final String PREV = "< Prev";
  static final String BUY = "Buy Now";

  private final Catalog catalog;
  private final boolean showAttributes;
  private final int perPage;
  private final ProductNumbers numbers;

  /**
   * Creates the pages of a shop.
   *
   * @param showAttributes whether product pages link to attributes
   * @param perPage products per page of results, at least 1
   * @param numbers naming of products
   */
  ShopSite(Catalog catalog, boolean showAttributes, int perPage, ProductNumbers numbers) {
    this.catalog = catalog;
    this.showAttributes = showAttributes;
    this.perPage = perPage;
    this.numbers = numbers;
  }

  Catalog catalog() {
    return catalog;
  }

  /** Returns the elements of {@code page}, with {@code instruction}, from top to bottom. */
  List<PageElement> parts(ShopPage page, String instruction) {
    List<PageElement> parts = new ArrayList<>();
    if (page instanceof Home) {
      parts.add(PageElement.text("WebShop"));
    }
    if (!(page instanceof Bought)) {
      parts.add(PageElement.text("Instruction:"));
      parts.add(PageElement.text(instruction));
    }
    switch (page) {
      case Home _ -> parts.add(PageElement.text("Search"));
      case Results results -> results(results, parts);
      case Item item -> item(item, parts);
      case Details(Item item, Section section) -> details(item.product(), section, parts);
      case Bought bought -> {
        parts.add(PageElement.text("Thank you for shopping with us!"));
        parts.add(PageElement.text("Your score (min 0.0, max 1.0)"));
        parts.add(PageElement.text(String.valueOf(bought.score())));
      }
    }
    return parts;
  }

  private static void results(Results results, List<PageElement> parts) {
    parts.add(PageElement.button(BACK));
    parts.add(
        PageElement.text(
            "Page " + results.number() + " (Total results: " + results.found().size() + ")"));
    if (results.number() > 1) {
      parts.add(PageElement.button(PREV));
    }
    if (results.hasNext()) {
      parts.add(PageElement.button(NEXT));
    }
    for (Product product : results.shown()) {
      parts.add(new PageElement(PageElement.Kind.PRODUCT, results.numberOf(product)));
      parts.add(PageElement.text(product.title()));
      parts.add(PageElement.text(product.priceTag()));
    }
  }

  private void item(Item item, List<PageElement> parts) {
    Product product = item.product();
    parts.add(PageElement.button(BACK));
    parts.add(PageElement.button(PREV));
    product
        .options()
        .forEach(
            (option, values) -> {
              parts.add(PageElement.text(option));
              values.forEach(value -> parts.add(new PageElement(PageElement.Kind.VALUE, value)));
            });
    parts.add(PageElement.text(product.title()));
    parts.add(PageElement.text("Price: " + product.priceTag()));
    parts.add(PageElement.text("Rating: " + product.rating()));
    for (Section section : sections()) {
      parts.add(PageElement.button(section.label()));
    }
    parts.add(PageElement.button(BUY));
  }

  private static void details(Product product, Section section, List<PageElement> parts) {
    parts.add(PageElement.button(BACK));
    parts.add(PageElement.button(PREV));
    List<String> texts =
        switch (section) {
          case DESCRIPTION -> List.of(product.description());
          case FEATURES -> product.bullets();
          case REVIEWS -> product.reviews();
          case ATTRIBUTES -> product.attributes();
        };
    texts.stream().filter(text -> !text.isBlank()).map(PageElement::text).forEach(parts::add);
  }

  private List<Section> sections() {
    List<Section> all = List.of(Section.values());
    return showAttributes ? all : all.subList(0, all.size() - 1);
  }

  /** Returns the results of a search for {@code words}; empty if {@code page} has no search bar. */
  Optional<ShopPage> search(ShopPage page, String words) {
    if (!(page instanceof Home)) {
      return Optional.empty();
    }
    List<Product> found = catalog.search(words);
    return Optional.of(new Results(words, found, numbers.of(found), perPage, 1));
  }

  /**
   * Returns the page after a click on {@code label}, case-insensitive; empty if it is not on the
   * page.
   */
  Optional<ShopPage> click(ShopPage page, String label, Goal goal) {
    boolean there =
        parts(page, goal.instruction()).stream()
            .anyMatch(part -> part.kind() != PageElement.Kind.TEXT && same(part.text(), label));
    if (!there) {
      return Optional.empty();
    }
    if (same(BACK, label)) {
      return Optional.of(new Home());
    }
    return Optional.of(
        switch (page) {
          case Results results -> fromResults(results, label);
          case Item item -> fromItem(item, label, goal);
          case Details details -> details.item();
          case Home _, Bought _ -> throw new IllegalStateException("nothing to click here");
        });
  }

  private static ShopPage fromResults(Results results, String label) {
    if (same(NEXT, label)) {
      return results.turn(1);
    }
    if (same(PREV, label)) {
      return results.turn(-1);
    }
    Product product =
        results.shown().stream()
            .filter(shown -> same(results.numberOf(shown), label))
            .findFirst()
            .orElseThrow();
    return new Item(results, product, Map.of());
  }

  private ShopPage fromItem(Item item, String label, Goal goal) {
    if (same(PREV, label)) {
      return item.from();
    }
    if (same(BUY, label)) {
      double score = PurchaseReward.of(goal, item.product(), item.chosen().values()).total();
      return new Bought(item, score);
    }
    for (Section section : sections()) {
      if (same(section.label(), label)) {
        return new Details(item, section);
      }
    }
    return choose(item, label);
  }

  /** Chooses the value; if two options have it, the one without it. */
  private static Item choose(Item item, String label) {
    for (var option : item.product().options().entrySet()) {
      for (String value : option.getValue()) {
        if (same(value, label) && !value.equals(item.chosen().get(option.getKey()))) {
          return item.choose(option.getKey(), value);
        }
      }
    }
    return item;
  }

  private static boolean same(String text, String label) {
    return text.strip().toLowerCase(Locale.ROOT).equals(label.strip().toLowerCase(Locale.ROOT));
  }
}
