package roll.cluster.bundles;

import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.cluster.services.codec.MalformedMessageException;

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
   * @throws MalformedMessageException if the size or the digest is none
   */
  BundleOffer {
    if (size <= 0 || size > MOST_BYTES) {
      throw new MalformedMessageException(
          "bundle %s has %d bytes (allowed: 1 to %d)".formatted(name, size, MOST_BYTES));
    }
    if (!digest.matches("[0-9a-f]{64}")) {
      throw new MalformedMessageException("bundle " + name + " has no SHA-256: '" + digest + "'");
    }
  }

  /** Name and version, as messages have them. */
  String title() {
    return name + " " + version;
  }

  static void write(ByteWriter out, BundleOffer offer) {
    out.text(offer.name)
        .text(offer.version)
        .int64(offer.size)
        .text(offer.digest)
        .bool(offer.deployed);
  }

  static BundleOffer read(ByteReader in) {
    return new BundleOffer(in.text(), in.text(), in.int64(), in.text(), in.bool());
  }
}
