package roll.api.image;

/**
 * How many patches a picture or video has: {@code image_grid_thw} of transformers.
 *
 * @param frames patches in time; 1 for a picture
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

  /** All patches. */
  public int patches() {
    return Math.multiplyExact(frames, Math.multiplyExact(rows, columns));
  }

  /**
   * Places in the prompt.
   *
   * @param merge side of the squares of patches that become one token
   */
  public int tokens(int merge) {
    return patches() / (merge * merge);
  }
}
