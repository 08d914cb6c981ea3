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
public record Columns(Map<Column<?>, Object> cells) {
  /** No columns. */
  public static final Columns NONE = new Columns(Map.of());

  /** Whether the column {@code key} exists. */
  public boolean has(Column<?> key) {
    return cells.containsKey(key);
  }

  /** The column {@code key}, or null. */
  public <T> @Nullable T find(Column<T> key) {
    Object column = cells.get(key);
    return column == null ? null : key.cast(column);
  }

  /**
   * The column {@code key}.
   *
   * @throws NullPointerException if there is none
   */
  public <T> T get(Column<T> key) {
    return Objects.requireNonNull(find(key), () -> "no column " + key.name());
  }

  /** Returns these columns with one added or replaced. */
  public <T> Columns with(Column<T> key, T column) {
    Map<Column<?>, Object> more = new LinkedHashMap<>(cells);
    more.put(key, column);
    return new Columns(more);
  }

  /** Returns only the columns with one of these keys. */
  public Columns only(Collection<Column<?>> keys) {
    Map<Column<?>, Object> some = new LinkedHashMap<>(cells);
    some.keySet().retainAll(keys);
    return new Columns(some);
  }

  /** The cells of the samples {@code chosen} of {@code layout}, in that order. */
  public Columns select(Layout layout, int[] chosen) {
    int[] positions = layout.positions(chosen);
    Map<Column<?>, Object> some = new LinkedHashMap<>();
    cells.forEach((key, all) -> some.put(key, pick(all, key.perToken() ? positions : chosen)));
    return new Columns(some);
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
