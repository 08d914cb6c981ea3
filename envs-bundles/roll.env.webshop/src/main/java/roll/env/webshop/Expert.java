package roll.env.webshop;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import roll.env.webshop.ShopPage.Item;
import roll.env.webshop.catalogue.Goal;
import roll.env.webshop.catalogue.PurchaseReward;

/** Someone who shops by a rule; stateless, the next action follows from the page. */
interface Expert {
  /** The action to take on {@code page}, which is not the last. */
  String next(ShopPage page);

  /** What an expert may know. */
  enum Knowledge {
    /** The product that the instruction was made from. */
    PRODUCT,
    /** The instruction and what the pages show. */
    SEEN;

    /** The expert who knows this. */
    Expert shop(ShopSite site, Goal goal) {
      return switch (this) {
        case PRODUCT -> new Oracle(site, goal);
        case SEEN -> new Shopper(goal);
      };
    }
  }

  /** The action that clicks on what is labeled {@code label}. */
  static String click(String label) {
    return "click[" + label.toLowerCase(Locale.ROOT) + "]";
  }

  /** A value that {@code goal} asks for, that the page has and that is still to be chosen. */
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

  /** The value of an option not chosen yet that is as asked, best the very words. */
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
