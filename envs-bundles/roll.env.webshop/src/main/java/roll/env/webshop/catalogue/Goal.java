package roll.env.webshop.catalogue;

import java.util.List;

/**
 * What a shopper is to buy.
 *
 * @param product the product the instruction was made from; others may do as well
 * @param instruction what the shopper is told
 * @param attributes properties asked for
 * @param options option values asked for
 * @param priceUpper most it may cost, {@link #NO_LIMIT} where nothing is said
 * @param weight how likely {@code limit_goals} takes it: rare attributes weigh more
 */
public record Goal(
    Product product,
    String instruction,
    List<String> attributes,
    List<String> options,
    double priceUpper,
    double weight) {
  /** WebShop's price bound of an instruction without one. */
  public static final double NO_LIMIT = 1_000_000;

  Goal weighing(double newWeight) {
    return new Goal(product, instruction, attributes, options, priceUpper, newWeight);
  }
}
