package roll.api.image;

/**
 * A picture as a model takes it: {@code pixel_values} of transformers.
 *
 * @param picture size of the picture itself
 * @param seen size in which the model sees it: coordinates that it says are of this one
 * @param grid of the patches
 * @param merge side of the squares of patches that become one token
 * @param values the patches one after the other, those of a token side by side; each by channel,
 *     frame, row and column
 */
public record ImagePatches(
    ImageSize picture, ImageSize seen, ImageGrid grid, int merge, float[] values) {
  /** Places in the prompt. */
  public int tokens() {
    return grid.tokens(merge);
  }

  /** Numbers of one patch. */
  public int patchSize() {
    return values.length / grid.patches();
  }
}
