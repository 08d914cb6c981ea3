package roll.env.webshop.catalog;

import java.util.List;
import java.util.stream.IntStream;

/** The names of products on pages of results. */
public enum ProductNumbers {
  /** Product numbers of ten characters, as in WebShop. */
  ASIN {
    @Override
    public List<String> of(List<Product> found) {
      return found.stream().map(Product::asin).toList();
    }
  },
  /**
   * Ranks in the results, from 1, like the element numbers of other web environments; they cannot
   * be memorized across episodes.
   */
  RANK {
    @Override
    public List<String> of(List<Product> found) {
      return IntStream.rangeClosed(1, found.size()).mapToObj(String::valueOf).toList();
    }
  };

  /**
   * Returns the names of the results of a search.
   *
   * @param found the products, the best first
   * @return distinct names, one per product
   */
  public abstract List<String> of(List<Product> found);
}
