package roll.env.webshop.catalog;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A product of the shop.
 *
 * @param asin its number, upper case
 * @param title its name
 * @param category department, such as {@code fashion}
 * @param query search query for its kind
 * @param path category path, its parts separated by ›
 * @param price price in dollars
 * @param priceTag price on its page, such as {@code $10.0 to $12.5}
 * @param options values to choose from by the option's name, in the order of the page
 * @param attributes attributes, not all of them on its page
 * @param bullets features
 * @param description a text, may be empty
 * @param rating stars, or {@code N.A.}
 * @param reviews reviews of buyers
 * @param wish generated instruction
 * @param humanWishes human instructions
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
   * An instruction for a product.
   *
   * @param text the instruction, without a price
   * @param attributes required attributes
   * @param options option values to choose; empty in a generated instruction
   */
  public record Wish(String text, List<String> attributes, List<String> options) {}

  /** Returns the indexed text: title, description, first feature and options, lower case. */
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

  /** Returns this product with a generated instruction. */
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
