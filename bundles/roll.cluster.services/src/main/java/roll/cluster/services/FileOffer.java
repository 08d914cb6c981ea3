package roll.cluster.services;

/**
 * A file of the node that offers it.
 *
 * @param name without a folder
 * @param size in bytes
 * @param digest SHA-256 in hexadecimal digits
 */
public record FileOffer(String name, long size, String digest) {
  /**
   * Creates an offer.
   *
   * @throws IllegalArgumentException if the name could lead out of a folder or is hidden, the size
   *     is negative, or the digest is no SHA-256
   */
  public FileOffer {
    boolean plain =
        !name.isEmpty()
            && !name.startsWith(".")
            && name.chars().noneMatch(c -> "/\\\0".indexOf(c) >= 0);
    if (!plain || size < 0 || !digest.matches("[0-9a-f]{64}")) {
      throw new IllegalArgumentException("no file is named '" + name + "'");
    }
  }
}
