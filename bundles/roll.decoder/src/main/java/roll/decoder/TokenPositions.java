package roll.decoder;

import java.util.List;
import roll.api.image.ImageGrid;
import roll.api.model.VisionSpec;

/**
 * The M-RoPE positions of tokens with pictures: text advances all three by one, the tokens of a
 * picture have one time and the row and column of their square, and later tokens continue after the
 * largest of these (Wang et al. 2024, section 2.1; {@code get_rope_index} of transformers,
 * modeling_qwen2_5_vl.py).
 *
 * @param time position in time by token
 * @param height position from top to bottom by token
 * @param width position from left to right by token
 * @param next all three positions of the next token
 */
public record TokenPositions(int[] time, int[] height, int[] width, int next) {
  /**
   * Returns the M-RoPE positions of {@code tokens}.
   *
   * @param grids of the pictures, in the order of their placeholders
   * @throws IllegalArgumentException if placeholders and pictures do not match
   */
  public static TokenPositions of(int[] tokens, VisionSpec vision, List<ImageGrid> grids) {
    int count = tokens.length;
    TokenPositions positions =
        new TokenPositions(new int[count], new int[count], new int[count], 0);
    int next = 0;
    int picture = 0;
    for (int at = 0; at < count; ) {
      if (tokens[at] != vision.imageToken()) {
        positions.set(at++, next, next, next);
        next++;
        continue;
      }
      if (picture == grids.size()) {
        throw new IllegalArgumentException(
            "token %d is an image placeholder, but there are only %d pictures"
                .formatted(at, picture));
      }
      ImageGrid grid = grids.get(picture++);
      int rows = grid.rows() / vision.merge();
      int columns = grid.columns() / vision.merge();
      for (int i = 0; i < grid.tokens(vision.merge()); i++, at++) {
        if (at == count || tokens[at] != vision.imageToken()) {
          throw new IllegalArgumentException(
              "picture %d has %d tokens, but %d placeholders"
                  .formatted(picture, grid.tokens(vision.merge()), i));
        }
        int inFrame = i % (rows * columns);
        positions.set(
            at, next + i / (rows * columns), next + inFrame / columns, next + inFrame % columns);
      }
      next += Math.max(grid.frames(), Math.max(rows, columns));
    }
    if (picture < grids.size()) {
      throw new IllegalArgumentException(
          "%d pictures, but placeholders for %d".formatted(grids.size(), picture));
    }
    return new TokenPositions(positions.time, positions.height, positions.width, next);
  }

  private void set(int at, int t, int h, int w) {
    time[at] = t;
    height[at] = h;
    width[at] = w;
  }
}
