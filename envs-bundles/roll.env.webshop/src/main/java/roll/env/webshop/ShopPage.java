package roll.env.webshop;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.env.webshop.catalog.Product;

/** The state of a session: the current page and all it depends on; immutable. */
sealed interface ShopPage {
  /** Page of the shop: the home page with the search bar. */
  record Home() implements ShopPage {}

  /**
   * The results of a search, in pages.
   *
   * @param keywords the search
   * @param found the products, the best first
   * @param numbers names of the products on the page
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

    /** Returns the name of {@code product}, one of the results. */
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
   * Page of the shop: a product.
   *
   * @param from the results it was opened from
   * @param product the product
   * @param chosen the chosen value by option
   */
  record Item(Results from, Product product, Map<String, String> chosen) implements ShopPage {
    Item choose(String option, String value) {
      Map<String, String> more = new LinkedHashMap<>(chosen);
      more.put(option, value);
      return new Item(from, product, Map.copyOf(more));
    }
  }

  /** Page of the shop: a text about a product. */
  record Details(Item item, Section section) implements ShopPage {}

  /**
   * Page of the shop: the confirmation after the purchase.
   *
   * @param item the purchased product
   * @param score the reward
   */
  record Bought(Item item, double score) implements ShopPage {}

  /** The texts about a product, each with a button. */
  enum Section {
    /** Shop page section: the product's description. */
    DESCRIPTION("Description"),
    /** Shop page section: the bullet points. */
    FEATURES("Features"),
    /** Shop page section: reviews of buyers. */
    REVIEWS("Reviews"),
    /** Shop page section: the attributes; only with show_attrs. */
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
