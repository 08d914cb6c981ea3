package roll.api.model;

import java.util.Set;

/**
 * The facts of a vision tower in the way of Qwen2.5-VL (Bai et al. 2025, section 2.1.1): patches of
 * pictures, layers of RMSNorm, attention with rotary positions in two dimensions and a gated
 * feed-forward layer, and a merger that makes of squares of patches what stands in the decoder's
 * residual stream.
 *
 * @param imageToken id of the token that stands for a merged square of patches
 * @param videoToken id of the token that does so in a video; no text contains it
 * @param layers number of layers
 * @param hidden width of the tower
 * @param heads attention heads; divides {@code hidden}
 * @param intermediate width of the feed-forward layers
 * @param channels colors of a patch
 * @param frames frames of a patch; a picture shows the same in all
 * @param patch side of a patch in pixels
 * @param merge side of the squares of patches that the merger puts together
 * @param window side of the windows that attention stays within, in pixels
 * @param fullAttention numbers of the layers whose attention sees the whole picture
 */
public record VisionSpec(
    int imageToken,
    int videoToken,
    int layers,
    int hidden,
    int heads,
    int intermediate,
    int channels,
    int frames,
    int patch,
    int merge,
    int window,
    Set<Integer> fullAttention) {
  /** Facts that fit each other. */
  public VisionSpec {
    fullAttention = Set.copyOf(fullAttention);
    int least = Math.min(Math.min(layers, hidden), Math.min(heads, intermediate));
    if (Math.min(least, Math.min(Math.min(channels, frames), Math.min(patch, merge))) < 1) {
      throw new IllegalArgumentException("a vision tower without layers, width or patches");
    }
    if (hidden % heads != 0 || hidden / heads % 4 != 0) {
      throw new IllegalArgumentException(hidden + " numbers for " + heads + " heads");
    }
    if (window % (patch * merge) != 0) {
      throw new IllegalArgumentException(
          "a window of %d pixels for squares of %d".formatted(window, patch * merge));
    }
  }

  /** Numbers of a patch. */
  public int patchSize() {
    return channels * frames * patch * patch;
  }

  /** Width of a head; a quarter of its numbers turns with the row, a quarter with the column. */
  public int headSize() {
    return hidden / heads;
  }
}
