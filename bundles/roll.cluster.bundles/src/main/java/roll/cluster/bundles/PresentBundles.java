package roll.cluster.bundles;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import roll.cluster.services.FileDigests;

/**
 * The bundles that a node has of its own, which stay as they are.
 *
 * @param bundles all of them
 * @param deployed jars of those that are none of its distribution, by their numbers
 */
record PresentBundles(List<Bundle> bundles, Map<Long, Path> deployed) {
  /** Symbolic names. */
  List<String> names() {
    return bundles.stream()
        .map(Bundle::getSymbolicName)
        .filter(Objects::nonNull)
        .distinct()
        .toList();
  }

  private List<Bundle> named(BundleOffer offer) {
    return bundles.stream().filter(b -> offer.name().equals(b.getSymbolicName())).toList();
  }

  /**
   * Whether this node has a bundle of the name and version of {@code offer}, which then serves.
   *
   * @return null if it has none; otherwise a line for the user, empty where the contents are the
   *     same or both are of a distribution, whose version says enough
   */
  @Nullable String kept(BundleOffer offer) {
    for (Bundle bundle : named(offer)) {
      if (offer.version().equals(bundle.getVersion().toString())) {
        Path jar = BundleJars.of(bundle, deployed);
        return !offer.deployed() || (jar != null && digest(jar).equals(offer.jar().digest()))
            ? ""
            : "this node keeps its own bundle "
                + offer.title()
                + ", whose content is not that of the first node's: it plays no environment of it";
      }
    }
    return null;
  }

  private static String digest(Path jar) {
    try {
      return new FileDigests().of(jar);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * That the bundle comes beside one of the node's own in another version; empty if it does not.
   */
  String beside(BundleOffer offer) {
    List<String> versions = named(offer).stream().map(b -> b.getVersion().toString()).toList();
    return versions.isEmpty() ? "" : ", beside this node's own " + String.join(", ", versions);
  }
}
