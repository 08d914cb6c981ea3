package roll.env.webshop.catalogue;

import java.util.Arrays;
import java.util.List;

/** All products of a shop and the index over them; immutable, shared by all sessions. */
public final class Catalogue {
  /** Most products of a search, as in WebShop. */
  static final int MOST_FOUND = 50;

  private final List<Product> products;
  private final SearchIndex index;

  /** The catalog of {@code products}; builds the index. */
  public Catalogue(List<Product> products) {
    this.products = List.copyOf(products);
    index = new SearchIndex(this.products.stream().map(Product::document).toList());
  }

  /** All products, in the order of their file. */
  public List<Product> products() {
    return products;
  }

  /** The best {@value #MOST_FOUND} products for {@code words}, the best first. */
  public List<Product> search(String words) {
    return Arrays.stream(index.search(words, MOST_FOUND)).mapToObj(products::get).toList();
  }
}
