package roll.env.webshop.catalogue;

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
 * The word lists that generated products are made of; all names in them are invented.
 *
 * @param series names, one for each product of a kind
 * @param values option values by the list's name
 * @param departments what the kinds of a category share
 * @param kinds what is sold
 * @param requests how people ask, with {things}, {attributes} and {options}
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
   * @param brands who makes its products
   * @param sentences what is said of them
   * @param reviews what buyers say
   */
  record Department(List<String> brands, List<String> sentences, List<String> reviews) {}

  /**
   * One kind of product.
   *
   * @param department its category
   * @param query what it is called, in the plural
   * @param path category path
   * @param names what one of it is called
   * @param materials what it is made of or like
   * @param how attributes that stand before the kind: "machine wash dresses"
   * @param having attributes after "with"
   * @param purpose attributes after "for"
   * @param options name of the list of values by option
   * @param price least and most
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

  /** The lists that come with this bundle. */
  static ProductWords load() {
    try (InputStream in = ProductWords.class.getResourceAsStream("words.json");
        Reader reader = new InputStreamReader(Objects.requireNonNull(in), StandardCharsets.UTF_8)) {
      return Objects.requireNonNull(new Gson().fromJson(reader, ProductWords.class));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The category of {@code kind}. */
  Department of(Kind kind) {
    return Objects.requireNonNull(departments.get(kind.department()), kind.department());
  }

  /** The values of the list {@code name}. */
  List<String> list(String name) {
    return Objects.requireNonNull(values.get(name), name);
  }
}
