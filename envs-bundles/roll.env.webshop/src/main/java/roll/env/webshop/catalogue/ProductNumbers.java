package roll.env.webshop.catalogue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import roll.api.data.RandomStreams;

/** How pages of results name products. */
public enum ProductNumbers {
  /** By their own numbers, ten signs each, as WebShop does. */
  ASIN {
    @Override
    public List<String> of(List<Product> found, long seed, int search) {
      return found.stream().map(Product::asin).toList();
    }
  },
  /**
   * By a letter and a digit, drawn anew for each search and different within it, as agents of other
   * worlds are shown the marks of a page's elements: what names a product cannot be learned by
   * heart, only read.
   */
  DRAWN {
    @Override
    public List<String> of(List<Product> found, long seed, int search) {
      List<String> all = new ArrayList<>(ALL);
      Collections.shuffle(
          all, Random.from(RandomStreams.of(seed, "roll.env.webshop/numbers", search)));
      return List.copyOf(all.subList(0, found.size()));
    }
  };

  private static final int DIGITS = 10;

  /** {@code A0} to {@code Z9}; more than a search finds. */
  public static final List<String> ALL =
      IntStream.range(0, 26 * DIGITS)
          .mapToObj(i -> (char) ('A' + i / DIGITS) + "" + i % DIGITS)
          .toList();

  /**
   * The names of what a search found.
   *
   * @param found at most {@value Catalogue#MOST_FOUND} products
   * @param seed of the episode
   * @param search how many searches the episode had before
   * @return as many names, each different
   */
  public abstract List<String> of(List<Product> found, long seed, int search);
}
