package roll.core;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import roll.api.config.Suggestion;
import roll.api.config.UserException;

/** Finds plugins by the name a configuration gives them. */
final class Slots {
  private final BundleContext context;

  Slots(BundleContext context) {
    this.context = context;
  }

  /** The slot for the service of {@code type} whose property {@code namespace} is {@code name}. */
  <T> Slot<T> open(Class<T> type, String namespace, String name) {
    return new Slot<>(context, type, namespace, name);
  }

  /** Names of the registered services of {@code type}, sorted. */
  List<String> names(Class<?> type, String namespace) {
    TreeSet<String> names = new TreeSet<>();
    try {
      for (ServiceReference<?> reference : context.getServiceReferences(type, null)) {
        switch (reference.getProperty(namespace)) {
          case String name -> names.add(name);
          case String[] several -> names.addAll(List.of(several));
          case Collection<?> several -> several.forEach(name -> names.add(String.valueOf(name)));
          case null, default -> {}
        }
      }
    } catch (InvalidSyntaxException e) {
      throw new IllegalStateException(e);
    }
    return List.copyOf(names);
  }

  /**
   * Makes sure that a service is registered.
   *
   * @param where the key of the configuration that names it
   * @throws UserException listing the registered names
   */
  void require(String where, Class<?> type, String namespace, String name) {
    List<String> names = names(type, namespace);
    if (!names.contains(name)) {
      throw new UserException(
          where
              + ": no "
              + namespace
              + " '"
              + name
              + "' is registered (registered: "
              + (names.isEmpty() ? "none" : String.join(", ", names))
              + ")"
              + Suggestion.near(name, names));
    }
  }
}
