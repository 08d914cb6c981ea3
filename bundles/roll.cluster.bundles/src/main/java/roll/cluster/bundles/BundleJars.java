package roll.cluster.bundles;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;

/** Where the jars of bundles are. */
final class BundleJars {
  private static final String REFERENCE = "reference:";

  private BundleJars() {}

  /**
   * The jar of {@code bundle}; null if it is no file.
   *
   * @param deployed jars of bundles that are none of the distribution, by their numbers
   */
  static @Nullable Path of(Bundle bundle, Map<Long, Path> deployed) {
    Path jar = deployed.get(bundle.getBundleId());
    if (jar != null) {
      return jar;
    }
    String location = bundle.getLocation();
    String plain =
        location.startsWith(REFERENCE) ? location.substring(REFERENCE.length()) : location;
    if (!plain.startsWith("file:")) {
      return null;
    }
    try {
      Path file = Path.of(URI.create(plain).getSchemeSpecificPart());
      return Files.isRegularFile(file) ? file : null;
    } catch (IllegalArgumentException e) {
      return null; // no place that a file could have
    }
  }
}
