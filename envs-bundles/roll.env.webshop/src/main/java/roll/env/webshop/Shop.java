package roll.env.webshop;

import java.util.List;
import roll.env.webshop.Shops.Source;
import roll.env.webshop.catalogue.Catalogue;
import roll.env.webshop.catalogue.GeneratedProducts;
import roll.env.webshop.catalogue.Goal;
import roll.env.webshop.catalogue.Goals;
import roll.env.webshop.catalogue.Product;
import roll.env.webshop.catalogue.ProductFile;

/**
 * A stocked shop: its catalog and what people come for.
 *
 * @param catalogue products and index
 * @param goals generated instructions, in a fixed random order
 * @param humanGoals instructions of people, likewise
 */
record Shop(Catalogue catalogue, List<Goal> goals, List<Goal> humanGoals) {
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
            ? Goals.generated(products, generated)
            : Goals.generated(products.stream().map(Shop::wishing).toList(), true);
    return new Shop(new Catalogue(products), goals, Goals.human(products));
  }

  /** A product of a file without instructions is asked for by its first attributes. */
  private static Product wishing(Product product) {
    List<String> first = product.attributes().stream().limit(ATTRIBUTES).toList();
    String text = "Find me " + String.join(", ", first) + " " + product.query();
    return first.isEmpty() ? product : product.with(new Product.Wish(text, first, List.of()));
  }
}
