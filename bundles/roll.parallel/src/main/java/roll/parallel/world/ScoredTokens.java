package roll.parallel.world;

import java.util.Arrays;
import java.util.List;

/**
 * The output of heads for some tokens of a batch.
 *
 * @param cells indices of the tokens in the batch
 * @param columns columns of the output, in the order of {@code cells}
 */
public record ScoredTokens(int[] cells, float[][] columns) {
  /** Returns the concatenation of {@code parts}, which have {@code count} columns each. */
  public static ScoredTokens of(List<ScoredTokens> parts, int count) {
    int size = parts.stream().mapToInt(part -> part.cells().length).sum();
    ScoredTokens all = new ScoredTokens(new int[size], new float[count][size]);
    int at = 0;
    for (ScoredTokens part : parts) {
      int length = part.cells().length;
      System.arraycopy(part.cells(), 0, all.cells(), at, length);
      for (int c = 0; c < count; c++) {
        System.arraycopy(part.columns()[c], 0, all.columns()[c], at, length);
      }
      at += length;
    }
    return all;
  }

  /**
   * Copies the output into {@code all}, whose columns have one number for every token of the batch.
   */
  public void into(double[][] all) {
    for (int c = 0; c < all.length; c++) {
      for (int i = 0; i < cells.length; i++) {
        all[c][cells[i]] = columns[c][i];
      }
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ScoredTokens that
        && Arrays.equals(cells, that.cells)
        && Arrays.deepEquals(columns, that.columns);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(cells) + Arrays.deepHashCode(columns);
  }

  @Override
  public String toString() {
    return columns.length + " columns of " + cells.length + " tokens";
  }
}
