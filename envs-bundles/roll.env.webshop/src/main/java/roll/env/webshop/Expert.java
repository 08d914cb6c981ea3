package roll.env.webshop;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import roll.env.webshop.ShopPage.Item;
import roll.env.webshop.catalog.Goal;
import roll.env.webshop.catalog.PurchaseReward;

/** A stateless rule-based policy: the page determines the next action. */
interface Expert {
  /** Returns the action on {@code page}, which is not the last one. */
  String next(ShopPage page);

  /** Information that a scripted expert may use. */
  enum Knowledge {
    /** Expert knowledge: the product of the goal. */
    PRODUCT,
    /** Expert knowledge: the instruction and the pages. */
    SEEN;

    /** Returns the expert of a shop with this knowledge. */
    Expert shop(ShopSite site, Goal goal) {
      return switch (this) {
        case PRODUCT -> new OracleExpert(site, goal);
        case SEEN -> new InstructionExpert(goal);
      };
    }
  }

  /** Returns the action that clicks on {@code label}. */
  static String click(String label) {
    return "click[" + label.toLowerCase(Locale.ROOT) + "]";
  }

  /**
   * Returns an option value that {@code goal} asks for, that the product has and that is not chosen
   * yet.
   */
  static Optional<String> missing(Item item, Goal goal) {
    for (String asked : goal.options()) {
      if (item.chosen().values().stream().noneMatch(v -> PurchaseReward.sameOption(v, asked))) {
        Optional<String> value = value(item, asked);
        if (value.isPresent()) {
          return value;
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the matching value of an option not chosen yet, preferably an exact match. */
  private static Optional<String> value(Item item, String asked) {
    List<String> free =
        item.product().options().entrySet().stream()
            .filter(option -> !item.chosen().containsKey(option.getKey()))
            .map(Map.Entry::getValue)
            .flatMap(List::stream)
            .toList();
    return free.stream()
        .filter(asked::equalsIgnoreCase)
        .findFirst()
        .or(() -> free.stream().filter(v -> PurchaseReward.sameOption(v, asked)).findFirst());
  }
}
