package roll.api.image;

/**
 * Number of patches of a picture or video: {@code image_grid_thw} of transformers.
 *
 * @param frames patches along time; 1 for a picture
 * @param rows patches from top to bottom
 * @param columns patches from left to right
 */
public record ImageGrid(int frames, int rows, int columns) {
  /** A grid of at least one patch. */
  public ImageGrid {
    if (frames < 1 || rows < 1 || columns < 1) {
      throw new IllegalArgumentException(
          "a grid of %d by %d by %d".formatted(frames, rows, columns));
    }
  }

  /** Number of patches of the image grid. */
  public int patches() {
    return Math.multiplyExact(frames, Math.multiplyExact(rows, columns));
  }

  /**
   * Number of image tokens in the prompt.
   *
   * @param merge side of the patch squares that are merged into one token
   */
  public int tokens(int merge) {
    return patches() / (merge * merge);
  }
}
