package roll.cluster.bundles;

import roll.cluster.services.FileOffer;

/**
 * A bundle of the first node.
 *
 * @param name symbolic name
 * @param deployed whether it does not belong to the distribution
 */
record BundleOffer(String name, String version, FileOffer jar, boolean deployed) {
  /** Maximum size of an offered jar in bytes. */
  private static final long MOST_BYTES = 1L << 30;

  /**
   * Creates an offer.
   *
   * @throws IllegalArgumentException if the jar is empty or too large
   */
  BundleOffer {
    if (jar.size() == 0 || jar.size() > MOST_BYTES) {
      throw new IllegalArgumentException(
          "bundle %s has %d bytes (allowed: 1 to %d)".formatted(name, jar.size(), MOST_BYTES));
    }
  }

  /** Returns name and version for messages. */
  String title() {
    return name + " " + version;
  }
}
