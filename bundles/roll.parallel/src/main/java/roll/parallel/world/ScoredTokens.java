package roll.parallel.world;

import java.util.Arrays;
import java.util.List;

/**
 * What heads say of some tokens of a batch.
 *
 * @param cells which tokens
 * @param columns what is said of them, in the order of the cells
 */
public record ScoredTokens(int[] cells, float[][] columns) {
  /** All of {@code parts}, which have {@code count} columns each. */
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

  /** Puts it into {@code all}, where a column has a number for every token. */
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
