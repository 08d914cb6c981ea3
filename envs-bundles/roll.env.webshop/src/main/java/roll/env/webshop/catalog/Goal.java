package roll.env.webshop.catalog;

import java.util.List;

/**
 * The product that an episode asks for.
 *
 * @param product the product of the instruction; others may also satisfy it
 * @param instruction the instruction
 * @param attributes requested attributes
 * @param options requested option values
 * @param priceUpper maximum price, {@link #NO_LIMIT} if there is none
 * @param weight sampling weight for {@code limit_goals}: rare attributes weigh more
 */
public record Goal(
    Product product,
    String instruction,
    List<String> attributes,
    List<String> options,
    double priceUpper,
    double weight) {
  /** WebShop's price bound of an instruction without a price. */
  public static final double NO_LIMIT = 1_000_000;

  Goal weighing(double newWeight) {
    return new Goal(product, instruction, attributes, options, priceUpper, newWeight);
  }
}
