package roll.env.webshop;

import java.util.List;
import roll.env.webshop.Shops.Source;
import roll.env.webshop.catalog.Catalog;
import roll.env.webshop.catalog.GeneratedProducts;
import roll.env.webshop.catalog.Goal;
import roll.env.webshop.catalog.GoalGenerator;
import roll.env.webshop.catalog.Product;
import roll.env.webshop.catalog.ProductFile;

/**
 * A web shop with its catalog and goals.
 *
 * @param catalog products and index
 * @param goals generated instructions, in a fixed random order
 * @param humanGoals goals with human instructions, in the same order
 */
record Shop(Catalog catalog, List<Goal> goals, List<Goal> humanGoals) {
  private static final int ATTRIBUTES = 3;

  /**
   * Reads or generates the products of {@code source}.
   *
   * @throws roll.api.option.UserException if a file is missing or malformed
   */
  static Shop stock(Source source) {
    boolean generated = source.files().products().isEmpty();
    List<Product> products =
        generated
            ? new GeneratedProducts().first(source.most())
            : ProductFile.read(source.files(), source.most());
    boolean asked = products.stream().anyMatch(product -> product.wish().isPresent());
    List<Goal> goals =
        asked
            ? GoalGenerator.generated(products, generated)
            : GoalGenerator.generated(products.stream().map(Shop::wishing).toList(), true);
    return new Shop(new Catalog(products), goals, GoalGenerator.human(products));
  }

  /**
   * Returns the product with an instruction of its first attributes, for files without
   * instructions.
   */
  private static Product wishing(Product product) {
    List<String> first = product.attributes().stream().limit(ATTRIBUTES).toList();
    String text = "Find me " + String.join(", ", first) + " " + product.query();
    return first.isEmpty() ? product : product.with(new Product.Wish(text, first, List.of()));
  }
}
