package roll.cluster.transfer;

/**
 * A part of a version, such as one parameter.
 *
 * @param name at most 512 characters
 * @param format format of the bytes, such as {@code bf16 [896, 4864]}, at most 512 characters;
 *     opaque
 * @param bytes size, from 0
 */
public record TransferPart(String name, String format, long bytes) {
  private static final int LONGEST = 512;

  /**
   * Creates a part.
   *
   * @throws IllegalArgumentException if a text is too long, or the size is negative
   */
  public TransferPart {
    if (name.length() > LONGEST || format.length() > LONGEST || bytes < 0) {
      throw new IllegalArgumentException("part " + name + " with format " + format + ", " + bytes);
    }
  }
}
