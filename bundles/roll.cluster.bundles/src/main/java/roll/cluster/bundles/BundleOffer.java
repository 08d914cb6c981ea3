package roll.cluster.bundles;

/**
 * A bundle of the first node.
 *
 * @param name its symbolic name
 * @param version of it
 * @param size of its jar, in bytes
 * @param digest SHA-256 of its jar, in hexadecimal digits
 * @param deployed whether it is none of the distribution
 */
record BundleOffer(String name, String version, long size, String digest, boolean deployed) {
  /** More than any bundle has. */
  static final long MOST_BYTES = 1L << 30;

  /**
   * An offer that can be fetched.
   *
   * @throws IllegalArgumentException if the size or the digest is none
   */
  BundleOffer {
    if (size <= 0 || size > MOST_BYTES) {
      throw new IllegalArgumentException(
          "bundle %s has %d bytes (allowed: 1 to %d)".formatted(name, size, MOST_BYTES));
    }
    if (!digest.matches("[0-9a-f]{64}")) {
      throw new IllegalArgumentException("bundle " + name + " has no SHA-256: '" + digest + "'");
    }
  }

  /** Name and version, as messages have them. */
  String title() {
    return name + " " + version;
  }
}
