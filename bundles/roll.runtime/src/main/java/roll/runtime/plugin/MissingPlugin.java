package roll.runtime.plugin;

import java.util.List;
import java.util.TreeSet;
import roll.api.plugin.MissingPluginException;
import roll.text.Suggestion;

/** Messages about a plugin that is not available. */
final class MissingPlugin {
  private MissingPlugin() {}

  /** Returns the error that {@code where} names a plugin that is not registered. */
  static MissingPluginException plugin(
      String where,
      Class<?> type,
      String kind,
      String name,
      List<String> registered,
      String... others) {
    TreeSet<String> allowed = new TreeSet<>(registered);
    allowed.addAll(List.of(others));
    String message =
        where
            + ": no "
            + kind
            + " '"
            + name
            + "' is registered (registered: "
            + (allowed.isEmpty() ? "none" : String.join(", ", allowed))
            + ")"
            + Suggestion.near(name, allowed);
    return new MissingPluginException(message, type, kind, name);
  }

  /** Returns the error that {@code where} names a plugin of a bundle that is not installed. */
  static MissingPluginException bundle(
      String where, Class<?> type, String kind, String name, String bundle) {
    String message =
        "%s: this distribution lacks the bundle %s, which offers %s '%s'; roll deploy %2$s --from <repository> adds it"
            .formatted(where, bundle, kind, name);
    return new MissingPluginException(message, type, kind, name);
  }
}
