package roll.core.plugin;

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
final class BundleCatalog {
  private static final String LIST = "/roll/core/bundles.properties";

  private final Properties bundles;

  private BundleCatalog(Properties bundles) {
    this.bundles = bundles;
  }

  /** The list that was built in. */
  static BundleCatalog read() {
    Properties bundles = new Properties();
    try (InputStream in =
        Objects.requireNonNull(BundleCatalog.class.getResourceAsStream(LIST), LIST)) {
      bundles.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new BundleCatalog(bundles);
  }

  /** The bundle that offers the plugin {@code name} of {@code kind}, or null. */
  @Nullable String of(String kind, String name) {
    return bundles.getProperty(kind + "/" + name);
  }
}
