package roll.env.webshop.catalog;

import com.google.gson.Gson;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The word lists of generated products; all names are invented.
 *
 * @param series names, one for each product of a kind
 * @param values option values by the list's name
 * @param departments common words of a category
 * @param kinds kinds of products
 * @param requests templates of human instructions, with {things}, {attributes} and {options}
 */
record ProductWords(
    List<String> series,
    Map<String, List<String>> values,
    Map<String, Department> departments,
    List<Kind> kinds,
    List<String> requests) {
  /**
   * A category.
   *
   * @param brands brands of its products
   * @param sentences sentences of descriptions
   * @param reviews reviews of buyers
   */
  record Department(List<String> brands, List<String> sentences, List<String> reviews) {}

  /**
   * One kind of product.
   *
   * @param department its category
   * @param query name of the kind, in the plural
   * @param path category path
   * @param names names of one product
   * @param materials materials or styles
   * @param how attributes before the kind: "machine wash dresses"
   * @param having attributes after "with"
   * @param purpose attributes after "for"
   * @param options name of the list of values by option
   * @param price minimum and maximum
   */
  record Kind(
      String department,
      String query,
      String path,
      List<String> names,
      List<String> materials,
      List<String> how,
      List<String> having,
      List<String> purpose,
      Map<String, String> options,
      List<Double> price) {}

  /** Loads the lists of this bundle. */
  static ProductWords load() {
    try (InputStream in = ProductWords.class.getResourceAsStream("words.json");
        Reader reader = new InputStreamReader(Objects.requireNonNull(in), StandardCharsets.UTF_8)) {
      return Objects.requireNonNull(new Gson().fromJson(reader, ProductWords.class));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the product category of {@code kind}. */
  Department of(Kind kind) {
    return Objects.requireNonNull(departments.get(kind.department()), kind.department());
  }

  /** Returns the values of the list {@code name}. */
  List<String> list(String name) {
    return Objects.requireNonNull(values.get(name), name);
  }
}
