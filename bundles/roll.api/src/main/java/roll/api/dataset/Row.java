package roll.api.dataset;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One row of a data set.
 *
 * @param file its file
 * @param line its first line, from 1; the row number in formats without lines
 * @param fields values by name with JSON types: String, Long, Double, Boolean, List, Map; null
 *     fields are omitted
 */
public record Row(Path file, long line, Map<String, Object> fields) {
  /** Creates a row with immutable copies of the fields. */
  public Row {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }

  /** Returns the location of the row for messages: {@code file:line}. */
  public String where() {
    return file + ":" + line;
  }
}
