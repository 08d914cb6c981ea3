package roll.api.data;

import java.util.List;
import roll.api.image.Picture;

/**
 * The typed key of a batch column.
 *
 * @param <T> type of the column: {@code double[]}, {@code int[]} or a list
 * @param name of the column, as in files and messages
 * @param perToken whether there is a cell per token; otherwise per sample
 * @param type the class of {@code T}
 */
public record ColumnKey<T>(String name, boolean perToken, Class<?> type) {
  /** The key of a column with a number per token. */
  public static ColumnKey<double[]> ofTokens(String name) {
    return new ColumnKey<>(name, true, double[].class);
  }

  /** The key of a column with an integer per token. */
  public static ColumnKey<int[]> intsOfTokens(String name) {
    return new ColumnKey<>(name, true, int[].class);
  }

  /** The key of a column with a number per sample. */
  public static ColumnKey<double[]> ofSamples(String name) {
    return new ColumnKey<>(name, false, double[].class);
  }

  /** The key of a column with an integer per sample. */
  public static ColumnKey<int[]> intsOfSamples(String name) {
    return new ColumnKey<>(name, false, int[].class);
  }

  /** The key of a column with a text per sample. */
  public static ColumnKey<List<String>> labels(String name) {
    return new ColumnKey<>(name, false, List.class);
  }

  /** The key of a column with pictures per sample, in prompt order. */
  public static ColumnKey<List<List<Picture>>> pictures(String name) {
    return new ColumnKey<>(name, false, List.class);
  }

  @SuppressWarnings("unchecked") // type is the class of T
  T cast(Object cells) {
    return (T) type.cast(cells);
  }

  @Override
  public String toString() {
    return name;
  }
}
