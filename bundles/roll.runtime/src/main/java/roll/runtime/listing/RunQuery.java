package roll.runtime.listing;

import java.util.List;

/**
 * A selection of runs, with their order and wanted values.
 *
 * <p>A field is {@code name}, {@code folder}, {@code state}, {@code step}, {@code started}, {@code
 * ended}, {@code tag}, {@code note}, a metric such as {@code val/score/mean} for its last value,
 * {@code min(…)} or {@code max(…)} of one, or a key of the configuration, of which the last parts
 * are enough; {@code env} is the type of an environment.
 *
 * @param filter words that name, folder, state, tags or note contain, and comparisons of fields:
 *     {@code =}, {@code !=}, {@code ~} (contains), {@code <}, {@code <=}, {@code >}, {@code >=},
 *     all of which hold; empty for all runs
 * @param sort a field, after {@code -} in descending order; empty for the newest first
 * @param columns fields whose values are wanted
 * @param archived whether archived runs are listed too
 */
public record RunQuery(String filter, String sort, List<String> columns, boolean archived) {
  /** All runs that are not archived, newest first. */
  public static final RunQuery ALL = new RunQuery("", "", List.of(), false);

  /** Creates a query with an immutable copy of the columns. */
  public RunQuery {
    columns = List.copyOf(columns);
  }
}
