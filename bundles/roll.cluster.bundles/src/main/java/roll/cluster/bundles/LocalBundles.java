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
 * The bundles of a node that are kept when it follows the first node.
 *
 * @param bundles all of them
 * @param deployed jars of deployed bundles by bundle id
 */
record LocalBundles(List<Bundle> bundles, Map<Long, Path> deployed) {
  /** Returns the symbolic names of the local bundles. */
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
   * Checks for a bundle with the name and version of {@code offer}, which is then kept.
   *
   * @return null without such a bundle; otherwise a line for the user, which is empty if both have
   *     the same content or belong to a distribution
   */
  @Nullable String keptLine(BundleOffer offer) {
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

  /** Returns a clause on own bundles of the same name in another version; empty without them. */
  String besideClause(BundleOffer offer) {
    List<String> versions = named(offer).stream().map(b -> b.getVersion().toString()).toList();
    return versions.isEmpty() ? "" : ", beside this node's own " + String.join(", ", versions);
  }
}
