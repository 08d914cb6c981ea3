package roll.rollout;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import roll.api.config.Suggestion;
import roll.api.config.UserException;

/** The services of one kind as they are registered at one moment, by the names they answer to. */
final class Registry<T> {
  private final String property;
  private final TreeMap<String, T> services = new TreeMap<>();

  /**
   * What is registered.
   *
   * @param property the service property that names them
   * @param registered services with their properties, the preferred of two with one name last
   */
  Registry(String property, List<Map.Entry<Map<String, Object>, T>> registered) {
    this.property = property;
    for (var service : registered) {
      for (String name : names(service.getKey().get(property))) {
        services.put(name, service.getValue());
      }
    }
  }

  /**
   * The service {@code name}.
   *
   * @param where the key of the configuration that names it
   * @param others what may be said too, though no service has it for a name
   * @throws UserException listing the registered names
   */
  T find(String where, String name, String... others) {
    T service = services.get(name);
    if (service == null) {
      TreeSet<String> allowed = new TreeSet<>(services.keySet());
      allowed.addAll(List.of(others));
      throw new UserException(
          where
              + ": no "
              + property
              + " '"
              + name
              + "' is registered (registered: "
              + (allowed.isEmpty() ? "none" : String.join(", ", allowed))
              + ")"
              + Suggestion.near(name, allowed));
    }
    return service;
  }

  private static List<String> names(@Nullable Object value) {
    return switch (value) {
      case String name -> List.of(name);
      case String[] several -> Arrays.asList(several);
      case null, default -> List.of();
    };
  }
}
