package roll.shell;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Names in a service property. */
final class Ids {
  private Ids() {}

  /** The names in {@code property}: text, an array or a collection. */
  static List<String> all(@Nullable Object property) {
    return switch (property) {
      case null -> List.of();
      case Object[] several -> java.util.Arrays.stream(several).map(String::valueOf).toList();
      case Collection<?> several -> several.stream().map(String::valueOf).toList();
      default -> List.of(String.valueOf(property));
    };
  }

  /** The names in {@code property} as text. */
  static String of(@Nullable Object property) {
    return all(property).stream().collect(Collectors.joining(", "));
  }
}
