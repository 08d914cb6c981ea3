package roll.api.image;

/**
 * How places that a model says, in pixels as it sees a picture, become places of the picture.
 *
 * @param picture size of the picture itself
 * @param seen size in which the model sees it, see {@link ImagePatches#seen}
 */
public record PictureScale(ImageSize picture, ImageSize seen) {
  /** Whether nothing changes. */
  public boolean isOne() {
    return picture.equals(seen);
  }

  /** The column of the picture, from 0, in which column {@code seenX} as seen lies. */
  public long x(double seenX) {
    return place(seenX, picture.width(), seen.width());
  }

  /** The row of the picture, from 0, in which row {@code seenY} as seen lies. */
  public long y(double seenY) {
    return place(seenY, picture.height(), seen.height());
  }

  /** What is outside stays outside: −1 before the first pixel, the size behind the last. */
  private static long place(double at, int real, int seen) {
    return (long) Math.clamp(Math.floor(at * real / seen), -1, real);
  }
}
