package roll.runtime.plugin;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the plugin names in a service property. */
public final class ServiceNames {
  private ServiceNames() {}

  /** Returns the names in {@code property}: text, an array or a collection. */
  public static List<String> all(@Nullable Object property) {
    return switch (property) {
      case null -> List.of();
      case Object[] several -> java.util.Arrays.stream(several).map(String::valueOf).toList();
      case Collection<?> several -> several.stream().map(String::valueOf).toList();
      default -> List.of(String.valueOf(property));
    };
  }

  /** Returns the names in {@code property} as text. */
  public static String of(@Nullable Object property) {
    return all(property).stream().collect(Collectors.joining(", "));
  }
}
