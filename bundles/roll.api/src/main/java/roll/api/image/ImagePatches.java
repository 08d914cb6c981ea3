package roll.api.image;

/**
 * A preprocessed picture: {@code pixel_values} of transformers.
 *
 * @param picture size of the original picture
 * @param seen size after resizing; the model's coordinates refer to this size
 * @param grid of the patches
 * @param merge side of the patch squares that are merged into one token
 * @param values patches in order, those of one token adjacent; each by channel, frame, row and
 *     column
 */
public record ImagePatches(
    ImageSize picture, ImageSize seen, ImageGrid grid, int merge, float[] values) {
  /** Number of image tokens in the prompt. */
  public int tokens() {
    return grid.tokens(merge);
  }

  /** Returns the number of values per picture patch. */
  public int patchSize() {
    return values.length / grid.patches();
  }
}
