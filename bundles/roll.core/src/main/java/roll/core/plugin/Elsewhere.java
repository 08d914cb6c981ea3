package roll.core.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Names that files of other systems have for what is not here, and what they would need. */
final class Elsewhere {
  private static final String LIST = "/roll/core/elsewhere.properties";
  private static final String ANY = "*";

  private final Properties names;

  private Elsewhere(Properties names) {
    this.names = names;
  }

  /** The list that was built in. */
  static Elsewhere read() {
    Properties names = new Properties();
    try (InputStream in = Objects.requireNonNull(Elsewhere.class.getResourceAsStream(LIST), LIST)) {
      names.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Elsewhere(names);
  }

  /** A line on the plugin {@code name} of {@code kind}, or null where nothing is known of it. */
  @Nullable String of(String kind, String name) {
    String asked = kind + "/" + name;
    return names.stringPropertyNames().stream()
        .filter(known -> asked.equals(known) || starts(asked, known))
        .max(Comparator.comparingInt(String::length))
        .map(known -> "'%s' is %s".formatted(name, names.getProperty(known)))
        .orElse(null);
  }

  private static boolean starts(String asked, String known) {
    return known.endsWith(ANY) && asked.startsWith(known.substring(0, known.length() - 1));
  }
}
