package roll.env.webshop.catalogue;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Something the shop sells.
 *
 * @param asin its number, in capitals
 * @param title its name
 * @param category department, such as {@code fashion}
 * @param query the search that leads to its kind
 * @param path category path, its parts separated by ›
 * @param price what it costs, in dollars
 * @param priceTag what its page says, such as {@code $10.0 to $12.5}
 * @param options values to choose from by the option's name, in the order of the page
 * @param attributes properties, not all of them told on its page
 * @param bullets features
 * @param description a text, may be empty
 * @param rating stars, or {@code N.A.}
 * @param reviews what buyers say
 * @param wish what a shopper who wants it asks for, generated
 * @param humanWishes the same, written by people
 */
public record Product(
    String asin,
    String title,
    String category,
    String query,
    String path,
    double price,
    String priceTag,
    Map<String, List<String>> options,
    List<String> attributes,
    List<String> bullets,
    String description,
    String rating,
    List<String> reviews,
    Optional<Wish> wish,
    List<Wish> humanWishes) {
  /**
   * What a shopper asks for.
   *
   * @param text the instruction, without a price
   * @param attributes properties it must have
   * @param options option values to choose; empty in a generated wish, which leaves them open
   */
  public record Wish(String text, List<String> attributes, List<String> options) {}

  /** What the search index knows: title, description, first feature and options, lower case. */
  public String document() {
    StringBuilder text = new StringBuilder(title).append(' ').append(description).append(' ');
    text.append(bullets.isEmpty() ? "" : bullets.getFirst());
    String separator = " ";
    for (var option : options.entrySet()) {
      text.append(separator).append(option.getKey()).append(": ");
      text.append(String.join(", ", option.getValue()));
      separator = ", and ";
    }
    return text.toString().toLowerCase(Locale.ROOT);
  }

  /** This product with a generated wish for it. */
  public Product with(Wish newWish) {
    return new Product(
        asin,
        title,
        category,
        query,
        path,
        price,
        priceTag,
        options,
        attributes,
        bullets,
        description,
        rating,
        reviews,
        Optional.of(newWish),
        humanWishes);
  }
}
