package roll.env.webshop;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;
import roll.env.webshop.ShopPage.Item;

/** Finds the clause of an instruction that asks for an option, such as {@code size: large}. */
final class OptionClause {
  private static final Pattern BETWEEN = Pattern.compile(",\\s+(?:and\\s+)?|(?<!\\s)\\s+with\\s+");

  private OptionClause() {}

  /**
   * Returns the shortest clause of {@code instruction} with the option value {@code label} of
   * {@code page}. Empty if the page has no such option or the instruction does not contain the
   * value.
   */
  static Optional<String> of(String instruction, ShopPage page, String label) {
    return page instanceof Item item && offers(item, label)
        ? shortest(instruction, label)
        : Optional.empty();
  }

  private static boolean offers(Item item, String label) {
    return item.product().options().values().stream()
        .anyMatch(values -> values.stream().anyMatch(label::equalsIgnoreCase));
  }

  private static Optional<String> shortest(String instruction, String label) {
    Pattern words =
        Pattern.compile(
            "(?<!\\w)" + Pattern.quote(label) + "(?!\\w)",
            Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.UNICODE_CHARACTER_CLASS);
    return Arrays.stream(BETWEEN.split(instruction, -1))
        .map(String::strip)
        .filter(clause -> words.matcher(clause).find())
        .min(Comparator.comparingInt(String::length));
  }
}
