package roll.env.webshop.catalogue;

import java.util.List;
import java.util.stream.IntStream;

/** How pages of results name products. */
public enum ProductNumbers {
  /** By their own numbers, ten signs each, as WebShop does. */
  ASIN {
    @Override
    public List<String> of(List<Product> found) {
      return found.stream().map(Product::asin).toList();
    }
  },
  /**
   * By their ranks among what was found, from 1, as agents of other worlds are shown the marks of a
   * page's elements: what names a product cannot be learned by heart, only read.
   */
  RANK {
    @Override
    public List<String> of(List<Product> found) {
      return IntStream.rangeClosed(1, found.size()).mapToObj(String::valueOf).toList();
    }
  };

  /**
   * The names of what a search found.
   *
   * @param found the products, the best first
   * @return as many names, each different
   */
  public abstract List<String> of(List<Product> found);
}
