package roll.api.model;

import java.util.Set;

/**
 * Specification of a vision tower of the Qwen2.5-VL type (Bai et al. 2025, section 2.1.1). It
 * embeds patches and runs layers of RMSNorm, attention with 2D rotary positions, and a gated
 * feed-forward layer. A merger maps squares of patches to embeddings of the decoder.
 *
 * @param imageToken id of the token of a merged square of patches
 * @param videoToken id of the corresponding token of videos
 * @param layers number of layers
 * @param hidden width of the tower
 * @param heads attention heads; divides {@code hidden}
 * @param intermediate width of the feed-forward layers
 * @param channels color channels of a patch
 * @param frames frames of a patch; a picture repeats the same frame
 * @param patch side of a patch in pixels
 * @param merge side of the patch squares that the merger merges
 * @param window side of the attention windows in pixels
 * @param fullAttention layers with full attention
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
  /** Checks that the parts are consistent. */
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

  /** Returns the number of values per picture patch. */
  public int patchSize() {
    return channels * frames * patch * patch;
  }

  /**
   * Width of a head; one quarter of its dimensions rotates with the row, one quarter with the
   * column.
   */
  public int headSize() {
    return hidden / heads;
  }
}
