package roll.env.webshop;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.env.webshop.catalogue.Product;

/** Where a shopper is, with all that the place depends on; immutable. */
sealed interface ShopPage {
  /** The entrance with the search bar. */
  record Home() implements ShopPage {}

  /**
   * What a search found, page by page.
   *
   * @param keywords the search
   * @param found the products, the best first
   * @param numbers what each is called here
   * @param perPage products of one page
   * @param number the page shown, from 1
   */
  record Results(
      String keywords, List<Product> found, List<String> numbers, int perPage, int number)
      implements ShopPage {
    List<Product> shown() {
      int from = (number - 1) * perPage;
      return found.subList(from, Math.min(from + perPage, found.size()));
    }

    /** What {@code product}, which was found, is called. */
    String numberOf(Product product) {
      return numbers.get(found.indexOf(product));
    }

    boolean hasNext() {
      return number * perPage < found.size();
    }

    Results turn(int pages) {
      return new Results(keywords, found, numbers, perPage, number + pages);
    }
  }

  /**
   * A product.
   *
   * @param from where it was found
   * @param product the product
   * @param chosen the value chosen of each option chosen so far
   */
  record Item(Results from, Product product, Map<String, String> chosen) implements ShopPage {
    Item choose(String option, String value) {
      Map<String, String> more = new LinkedHashMap<>(chosen);
      more.put(option, value);
      return new Item(from, product, Map.copyOf(more));
    }
  }

  /** One of the texts about a product. */
  record Details(Item item, Section section) implements ShopPage {}

  /**
   * The end.
   *
   * @param item what was bought
   * @param score the reward
   */
  record Bought(Item item, double score) implements ShopPage {}

  /** The texts about a product, each behind a button. */
  enum Section {
    /** The product's description. */
    DESCRIPTION("Description"),
    /** Its bullet points. */
    FEATURES("Features"),
    /** What buyers say. */
    REVIEWS("Reviews"),
    /** Its attributes; only with show_attrs. */
    ATTRIBUTES("Attributes");

    private final String label;

    Section(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }
}
