package roll.env.webshop.catalog;

import com.google.gson.JsonElement;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The price of a product as WebShop parses it: no price is 100, two are a range.
 *
 * @param values one or two prices in dollars
 */
record Prices(List<Double> values) {
  private static final double UNKNOWN = 100;

  /** Parses {@code pricing}: numbers, or a text such as {@code $10.00$12.50}. */
  static Prices of(JsonFields fields) {
    List<Double> prices = new ArrayList<>();
    for (JsonElement element : fields.elements("pricing")) {
      if (!element.isJsonPrimitive()) {
        throw fields.wrong("pricing", "numbers", element);
      }
      for (String price : element.getAsString().split("\\$", -1)) {
        String digits = price.replaceAll("[^\\d.]", "");
        if (!digits.isEmpty()) {
          prices.add(number(fields, digits, element));
        }
      }
    }
    return new Prices(prices.isEmpty() ? List.of(UNKNOWN) : prices.stream().limit(2).toList());
  }

  private static double number(JsonFields fields, String digits, JsonElement element) {
    try {
      return Double.parseDouble(digits);
    } catch (NumberFormatException e) {
      throw fields.wrong("pricing", "numbers", element);
    }
  }

  /** Returns the displayed price of a product. */
  String tag() {
    return "$" + values.getFirst() + (values.size() > 1 ? " to $" + values.get(1) : "");
  }

  /** Returns the price: of a range, a random price. */
  double drawn(RandomGenerator random) {
    double low = values.getFirst();
    return low + (values.getLast() - low) * random.nextDouble();
  }
}
