package roll.torch.vision;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import roll.api.image.ImageGrid;
import roll.api.model.Rope;
import roll.api.model.VisionSpec;

/**
 * The order in which a vision tower computes the patches of pictures: window by window, so that
 * attention within windows is attention within runs of patches (Bai et al. 2025, section 2.1.1).
 * Windows of a picture are sorted by size, so that windows of one size are one call.
 *
 * @param vision the tower
 * @param squares number of the square of patches at each position, in the order of the image
 *     processor
 * @param windows runs of patches that are windows, alternating a count and a length
 * @param wholes runs of patches that are whole pictures, in the same way
 * @param rows row of each patch in its picture, in this order
 * @param columns column of each patch in its picture, in this order
 */
record PatchOrder(
    VisionSpec vision, long[] squares, long[] windows, long[] wholes, int[] rows, int[] columns) {
  /** Returns the order for concatenated pictures of {@code grids}. */
  static PatchOrder of(VisionSpec vision, List<ImageGrid> grids) {
    Builder builder =
        new Builder(vision, grids.stream().mapToInt(grid -> grid.tokens(vision.merge())).sum());
    grids.forEach(builder::add);
    return new PatchOrder(
        vision,
        builder.squares,
        builder.windows.array(),
        builder.wholes.array(),
        builder.rows,
        builder.columns);
  }

  /** Returns the position of each square by its number: the inverse permutation. */
  long[] places() {
    long[] places = new long[squares.length];
    for (int i = 0; i < squares.length; i++) {
      places[(int) squares[i]] = i;
    }
    return places;
  }

  /**
   * Returns the cosines or sines of the rotary positions, [patches × half the head size]: half of
   * them for the row, half for the column.
   */
  float[] angles(boolean cosines) {
    int size = vision.headSize();
    int quarter = size / 4;
    int longest =
        Math.max(Arrays.stream(rows).max().orElse(0), Arrays.stream(columns).max().orElse(0));
    float[][] table = new float[longest + 1][quarter];
    List<Float> frequencies = Rope.standard(10_000, size / 2).frequencies();
    for (int position = 0; position <= longest; position++) {
      for (int i = 0; i < quarter; i++) {
        float angle = position * frequencies.get(i);
        table[position][i] = (float) (cosines ? Math.cos(angle) : Math.sin(angle));
      }
    }
    float[] values = new float[rows.length * 2 * quarter];
    for (int p = 0; p < rows.length; p++) {
      System.arraycopy(table[rows[p]], 0, values, p * 2 * quarter, quarter);
      System.arraycopy(table[columns[p]], 0, values, (p * 2 + 1) * quarter, quarter);
    }
    return values;
  }

  /** Counts runs of the same length. */
  private static final class Runs {
    private final List<long[]> runs = new ArrayList<>();

    void add(long length) {
      if (!runs.isEmpty() && runs.getLast()[1] == length) {
        runs.getLast()[0]++;
      } else {
        runs.add(new long[] {1, length});
      }
    }

    long[] array() {
      return runs.stream().flatMapToLong(Arrays::stream).toArray();
    }
  }

  /** Builds the order by concatenating pictures. */
  private static final class Builder {
    private final VisionSpec vision;
    private final int merge;
    private final long[] squares;
    private final int[] rows;
    private final int[] columns;
    private final Runs windows = new Runs();
    private final Runs wholes = new Runs();
    private int filled;

    Builder(VisionSpec vision, int count) {
      this.vision = vision;
      this.merge = vision.merge();
      this.squares = new long[count];
      this.rows = new int[count * merge * merge];
      this.columns = new int[count * merge * merge];
    }

    void add(ImageGrid grid) {
      int high = grid.rows() / merge;
      int wide = grid.columns() / merge;
      int first = filled;
      for (int frame = 0; frame < grid.frames(); frame++) {
        wholes.add((long) high * wide * merge * merge);
        for (int[] window : windows(high, wide)) {
          windows.add((long) window.length * merge * merge);
          for (int square : window) {
            place(first + frame * high * wide + square, square / wide, square % wide);
          }
        }
      }
    }

    /** Returns the squares of each window of a picture, the largest windows first. */
    private List<int[]> windows(int high, int wide) {
      int side =
          vision.window() == 0 ? Math.max(high, wide) : vision.window() / (vision.patch() * merge);
      List<int[]> windows = new ArrayList<>();
      for (int top = 0; top < high; top += side) {
        for (int left = 0; left < wide; left += side) {
          int tall = Math.min(side, high - top);
          int broad = Math.min(side, wide - left);
          int[] window = new int[tall * broad];
          for (int i = 0; i < window.length; i++) {
            window[i] = (top + i / broad) * wide + left + i % broad;
          }
          windows.add(window);
        }
      }
      windows.sort(Comparator.comparingInt((int[] window) -> window.length).reversed());
      return windows;
    }

    private void place(int square, int row, int column) {
      for (int i = 0; i < merge * merge; i++) {
        rows[filled * merge * merge + i] = row * merge + i / merge;
        columns[filled * merge * merge + i] = column * merge + i % merge;
      }
      squares[filled++] = square;
    }
  }
}
