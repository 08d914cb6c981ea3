package roll.api.image;

/**
 * Conversion of a model's coordinates, which refer to the resized picture, to the original picture.
 *
 * @param picture size of the original picture
 * @param seen size after resizing, see {@link ImagePatches#seen}
 */
public record PictureScale(ImageSize picture, ImageSize seen) {
  /** Whether the original and the resized picture have equal sizes. */
  public boolean isOne() {
    return picture.equals(seen);
  }

  /** The column of the original picture, from 0, at column {@code seenX} of the resized one. */
  public long x(double seenX) {
    return place(seenX, picture.width(), seen.width());
  }

  /** The row of the original picture, from 0, at row {@code seenY} of the resized one. */
  public long y(double seenY) {
    return place(seenY, picture.height(), seen.height());
  }

  /**
   * Coordinates outside of the picture stay outside: −1 before the first pixel, the size after the
   * last.
   */
  private static long place(double at, int real, int seen) {
    return (long) Math.clamp(Math.floor(at * real / seen), -1, real);
  }
}
