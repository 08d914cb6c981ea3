package roll.cluster.bundles;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;

/** Jar files of bundles. */
final class BundleJars {
  private static final String REFERENCE = "reference:";

  private BundleJars() {}

  /**
   * Returns the jar of {@code bundle}; null if it is not a file.
   *
   * @param deployed jars of deployed bundles by bundle id
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
      return null; // not the URI of a file
    }
  }
}
