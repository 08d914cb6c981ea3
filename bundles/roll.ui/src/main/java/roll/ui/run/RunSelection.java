package roll.ui.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.option.UserException;
import roll.runtime.listing.RunQuery;

/**
 * The runs that a query selects, in its order.
 *
 * @param complete whether all metrics were read that it needs; otherwise values are missing
 * @param archived number of runs that are left out as archived
 */
record RunSelection(List<Row> rows, boolean complete, int archived) {
  private static final Logger LOG = LoggerFactory.getLogger("roll.ui");
  private static final int MAX_COLUMNS = 32;

  /**
   * A selected run.
   *
   * @param columns its values by wanted field
   */
  record Row(RunSummary run, RunNotes notes, Map<String, @Nullable Object> columns) {}

  /**
   * Selects from {@code summaries}.
   *
   * @param deadline by {@link System#nanoTime}: then metrics are no longer read
   * @throws UserException if the filter is invalid, or there are too many columns
   */
  static RunSelection of(RunSummaries summaries, RunQuery query, long deadline) {
    if (query.columns().size() > MAX_COLUMNS) {
      throw new UserException(
          "columns: expected at most %d, found %d".formatted(MAX_COLUMNS, query.columns().size()));
    }
    RunFilter filter = RunFilter.of(query.filter());
    boolean descending = query.sort().startsWith("-");
    String sort = descending ? query.sort().substring(1) : query.sort();
    Map<Row, @Nullable Object> order = new LinkedHashMap<>();
    boolean complete = true;
    int archived = 0;
    for (RunSummary run : summaries.all()) {
      try {
        RunFields fields = new RunFields(run, summaries.folder(run), deadline);
        if (!query.archived() && fields.notes().archived()) {
          archived++;
        } else if (filter.takes(fields)) {
          Map<String, @Nullable Object> columns = new LinkedHashMap<>();
          for (String column : query.columns()) {
            columns.put(column, fields.value(column));
          }
          Row row = new Row(run, fields.notes(), columns);
          order.put(row, sort.isEmpty() ? null : fields.value(sort));
        }
        complete &= fields.complete();
      } catch (IOException e) {
        // it was removed, or is not readable
      } catch (RuntimeException | StackOverflowError e) { // because of its contents
        LOG.warn("{} is left out of the list of runs", run.folder(), e);
      }
    }
    List<Row> rows = new ArrayList<>(order.keySet());
    if (!sort.isEmpty()) {
      rows.sort((a, b) -> compare(order.get(a), order.get(b), descending));
    }
    return new RunSelection(rows, complete, archived);
  }

  /** Numbers come before texts, missing values last in both directions. */
  private static int compare(@Nullable Object a, @Nullable Object b, boolean descending) {
    if (a == null || b == null) {
      return Boolean.compare(a == null, b == null);
    }
    double first = RunFilter.number(a);
    double second = RunFilter.number(b);
    if (Double.isNaN(first) != Double.isNaN(second)) {
      return Boolean.compare(Double.isNaN(first), Double.isNaN(second));
    }
    int order =
        Double.isNaN(first)
            ? Comparator.<String>naturalOrder()
                .compare(RunFilter.lower(String.valueOf(a)), RunFilter.lower(String.valueOf(b)))
            : Double.compare(first, second);
    return descending ? -order : order;
  }
}
