package roll.env.webshop.catalog;

import java.util.Arrays;
import java.util.List;

/** The products of a shop and their search index; immutable, shared by all sessions. */
public final class Catalog {
  /** Maximum results of a search, as in WebShop. */
  static final int MOST_FOUND = 50;

  private final List<Product> products;
  private final SearchIndex index;

  /** Creates the catalog of {@code products} and its index. */
  public Catalog(List<Product> products) {
    this.products = List.copyOf(products);
    index = new SearchIndex(this.products.stream().map(Product::document).toList());
  }

  /** Returns all products, in the order of their file. */
  public List<Product> products() {
    return products;
  }

  /** Returns the best {@value #MOST_FOUND} products for {@code words}, the best first. */
  public List<Product> search(String words) {
    return Arrays.stream(index.search(words, MOST_FOUND)).mapToObj(products::get).toList();
  }
}
