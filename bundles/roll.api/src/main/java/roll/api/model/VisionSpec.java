package roll.api.model;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Specification of a vision tower of the Qwen2.5-VL type (Bai et al. 2025, section 2.1.1) or, with
 * {@code deepStack}, of the Qwen3-VL type. It embeds patches and runs layers of norm, attention
 * with 2D rotary positions, and a feed-forward layer. A merger maps squares of patches to
 * embeddings of the decoder.
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
 * @param window side of the attention windows in pixels; 0 if all layers have full attention
 * @param fullAttention layers with full attention
 * @param deepStack further parts of the Qwen3-VL type, or null
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
    Set<Integer> fullAttention,
    @Nullable DeepStack deepStack) {
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
    if (deepStack != null && window != 0) {
      throw new IllegalArgumentException("DeepStack with windows");
    }
  }

  /** A tower of the Qwen2.5-VL type. */
  public VisionSpec(
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
    this(
        imageToken,
        videoToken,
        layers,
        hidden,
        heads,
        intermediate,
        channels,
        frames,
        patch,
        merge,
        window,
        fullAttention,
        null);
  }

  /**
   * Parts of the Qwen3-VL type: LayerNorm and GELU in the layers, a bias of the patch embedding,
   * learned positions, and further mergers, whose output is added to the decoder's first layers
   * (Meng et al. 2024, "DeepStack").
   *
   * @param side side of the square of learned positions, which are interpolated for each picture
   * @param layers layers of the tower before a further merger, in ascending order
   */
  public record DeepStack(int side, List<Integer> layers) {
    /** Checks the parts. */
    public DeepStack {
      layers = List.copyOf(layers);
      if (side < 1 || !layers.equals(layers.stream().sorted().distinct().toList())) {
        throw new IllegalArgumentException(side + " positions, mergers after " + layers);
      }
    }
  }

  /**
   * Returns the number of vectors of the decoder's width for each token: its embedding, and one for
   * each of the decoder's first layers that DeepStack adds to.
   */
  public int vectors() {
    return deepStack == null ? 1 : 1 + deepStack.layers().size();
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
