package roll.api.data;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Columns of a jagged batch by their typed keys. Immutable: {@link #with} returns new columns that
 * share the others. Arrays must not be modified after they were added.
 *
 * @param cells values of each column, of the type of its key
 */
public record ColumnMap(Map<ColumnKey<?>, Object> cells) {
  /** A column map without columns. */
  public static final ColumnMap NONE = new ColumnMap(Map.of());

  /** Whether the map has a column {@code key}. */
  public boolean has(ColumnKey<?> key) {
    return cells.containsKey(key);
  }

  /** Returns the column {@code key}, or null. */
  public <T> @Nullable T find(ColumnKey<T> key) {
    Object column = cells.get(key);
    return column == null ? null : key.cast(column);
  }

  /**
   * Returns the column {@code key}.
   *
   * @throws NullPointerException if there is none
   */
  public <T> T get(ColumnKey<T> key) {
    return Objects.requireNonNull(find(key), () -> "no column " + key.name());
  }

  /** Returns these columns with one column added or replaced. */
  public <T> ColumnMap with(ColumnKey<T> key, T column) {
    Map<ColumnKey<?>, Object> more = new LinkedHashMap<>(cells);
    more.put(key, column);
    return new ColumnMap(more);
  }

  /** Returns only the columns with one of these keys. */
  public ColumnMap only(Collection<ColumnKey<?>> keys) {
    Map<ColumnKey<?>, Object> some = new LinkedHashMap<>(cells);
    some.keySet().retainAll(keys);
    return new ColumnMap(some);
  }

  /** The cells of the samples {@code chosen} of {@code layout}, in that order. */
  public ColumnMap select(Layout layout, int[] chosen) {
    int[] positions = layout.positions(chosen);
    Map<ColumnKey<?>, Object> some = new LinkedHashMap<>();
    cells.forEach((key, all) -> some.put(key, pick(all, key.perToken() ? positions : chosen)));
    return new ColumnMap(some);
  }

  private static Object pick(Object cells, int[] at) {
    return switch (cells) {
      case double[] numbers -> Arrays.stream(at).mapToDouble(i -> numbers[i]).toArray();
      case int[] numbers -> Arrays.stream(at).map(i -> numbers[i]).toArray();
      case List<?> labels -> Arrays.stream(at).<Object>mapToObj(labels::get).toList();
      default -> throw new IllegalArgumentException("no column of " + cells.getClass());
    };
  }
}
