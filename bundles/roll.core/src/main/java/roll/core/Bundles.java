package roll.core;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Which bundle of this project offers which plugin, known also where the bundle is not there: most
 * distributions leave some out. A test of {@code roll.itests} holds the list complete.
 */
final class Bundles {
  private static final String LIST = "bundles.properties";

  private final Properties bundles;

  private Bundles(Properties bundles) {
    this.bundles = bundles;
  }

  /** The list that was built in. */
  static Bundles read() {
    Properties bundles = new Properties();
    try (InputStream in = Objects.requireNonNull(Bundles.class.getResourceAsStream(LIST), LIST)) {
      bundles.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Bundles(bundles);
  }

  /** The bundle that offers the plugin {@code name} of {@code kind}, or null. */
  @Nullable String of(String kind, String name) {
    return bundles.getProperty(kind + "/" + name);
  }
}
