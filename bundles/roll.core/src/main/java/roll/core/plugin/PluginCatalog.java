package roll.core.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Built-in knowledge about missing plugins: the bundle of this project that provides a plugin, as
 * most distributions omit some (a test of {@code roll.itests} keeps the list complete), and names
 * of other frameworks that have no plugin.
 */
final class PluginCatalog {
  private static final String ANY = "*";

  private final Properties bundles = list("bundles.properties");
  private final Properties foreign = list("foreign.properties");

  private static Properties list(String name) {
    String path = "/roll/core/" + name;
    Properties list = new Properties();
    try (InputStream in =
        Objects.requireNonNull(PluginCatalog.class.getResourceAsStream(path), path)) {
      list.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return list;
  }

  /** Returns the bundle that offers the plugin {@code name} of {@code kind}, or null. */
  @Nullable String bundle(String kind, String name) {
    return bundles.getProperty(kind + "/" + name);
  }

  /**
   * Returns a line on the counterpart of {@code name} of {@code kind} in other systems, or null.
   */
  @Nullable String foreign(String kind, String name) {
    String asked = kind + "/" + name;
    return foreign.stringPropertyNames().stream()
        .filter(known -> asked.equals(known) || starts(asked, known))
        .max(Comparator.comparingInt(String::length))
        .map(known -> "'%s' is %s".formatted(name, foreign.getProperty(known)))
        .orElse(null);
  }

  private static boolean starts(String asked, String known) {
    return known.endsWith(ANY) && asked.startsWith(known.substring(0, known.length() - 1));
  }
}
