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
import roll.env.webshop.catalogue.Catalogue;
import roll.env.webshop.catalogue.Goal;
import roll.env.webshop.catalogue.Product;
import roll.env.webshop.catalogue.ProductNumbers;
import roll.env.webshop.catalogue.PurchaseReward;

/** The shop's pages: what each shows and where its buttons lead. Immutable. */
final class ShopSite {
  static final String BACK = "Back to Search";
  static final String NEXT = "Next >";
  static final String PREV = "< Prev";
  static final String BUY = "Buy Now";

  private final Catalogue catalogue;
  private final boolean showAttributes;
  private final int perPage;
  private final ProductNumbers numbers;

  /**
   * The pages of a shop.
   *
   * @param showAttributes whether a product's page leads to its attributes
   * @param perPage products of a page of results, at least 1
   * @param numbers how it names them
   */
  ShopSite(Catalogue catalogue, boolean showAttributes, int perPage, ProductNumbers numbers) {
    this.catalogue = catalogue;
    this.showAttributes = showAttributes;
    this.perPage = perPage;
    this.numbers = numbers;
  }

  Catalogue catalogue() {
    return catalogue;
  }

  /** What {@code page} shows a shopper who was told {@code instruction}, from top to bottom. */
  List<Part> parts(ShopPage page, String instruction) {
    List<Part> parts = new ArrayList<>();
    if (page instanceof Home) {
      parts.add(Part.text("WebShop"));
    }
    if (!(page instanceof Bought)) {
      parts.add(Part.text("Instruction:"));
      parts.add(Part.text(instruction));
    }
    switch (page) {
      case Home _ -> parts.add(Part.text("Search"));
      case Results results -> results(results, parts);
      case Item item -> item(item, parts);
      case Details(Item item, Section section) -> details(item.product(), section, parts);
      case Bought bought -> {
        parts.add(Part.text("Thank you for shopping with us!"));
        parts.add(Part.text("Your score (min 0.0, max 1.0)"));
        parts.add(Part.text(String.valueOf(bought.score())));
      }
    }
    return parts;
  }

  private static void results(Results results, List<Part> parts) {
    parts.add(Part.button(BACK));
    parts.add(
        Part.text("Page " + results.number() + " (Total results: " + results.found().size() + ")"));
    if (results.number() > 1) {
      parts.add(Part.button(PREV));
    }
    if (results.hasNext()) {
      parts.add(Part.button(NEXT));
    }
    for (Product product : results.shown()) {
      parts.add(new Part(Part.Kind.PRODUCT, results.numberOf(product)));
      parts.add(Part.text(product.title()));
      parts.add(Part.text(product.priceTag()));
    }
  }

  private void item(Item item, List<Part> parts) {
    Product product = item.product();
    parts.add(Part.button(BACK));
    parts.add(Part.button(PREV));
    product
        .options()
        .forEach(
            (option, values) -> {
              parts.add(Part.text(option));
              values.forEach(value -> parts.add(new Part(Part.Kind.VALUE, value)));
            });
    parts.add(Part.text(product.title()));
    parts.add(Part.text("Price: " + product.priceTag()));
    parts.add(Part.text("Rating: " + product.rating()));
    for (Section section : sections()) {
      parts.add(Part.button(section.label()));
    }
    parts.add(Part.button(BUY));
  }

  private static void details(Product product, Section section, List<Part> parts) {
    parts.add(Part.button(BACK));
    parts.add(Part.button(PREV));
    List<String> texts =
        switch (section) {
          case DESCRIPTION -> List.of(product.description());
          case FEATURES -> product.bullets();
          case REVIEWS -> product.reviews();
          case ATTRIBUTES -> product.attributes();
        };
    texts.stream().filter(text -> !text.isBlank()).map(Part::text).forEach(parts::add);
  }

  private List<Section> sections() {
    List<Section> all = List.of(Section.values());
    return showAttributes ? all : all.subList(0, all.size() - 1);
  }

  /** What a search for {@code words} leads to; empty where {@code page} has no search bar. */
  Optional<ShopPage> search(ShopPage page, String words) {
    if (!(page instanceof Home)) {
      return Optional.empty();
    }
    List<Product> found = catalogue.search(words);
    return Optional.of(new Results(words, found, numbers.of(found), perPage, 1));
  }

  /** Where a click on {@code label} leads, in any case of letters; empty if it is not there. */
  Optional<ShopPage> click(ShopPage page, String label, Goal goal) {
    boolean there =
        parts(page, goal.instruction()).stream()
            .anyMatch(part -> part.kind() != Part.Kind.TEXT && same(part.text(), label));
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

  /** Chooses the value; where two options have it, that which does not have it yet. */
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
