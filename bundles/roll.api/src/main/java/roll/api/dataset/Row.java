package roll.api.dataset;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One row of a data set.
 *
 * @param file it comes from
 * @param line of the file where it begins, from 1; the number of the row in files without lines
 * @param fields by name, as JSON has them: text, Long, Double, Boolean, lists, maps; what is null
 *     is left out
 */
public record Row(Path file, long line, Map<String, Object> fields) {
  /** Fields that nobody changes. */
  public Row {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }

  /** Where it stands, for messages: {@code file:line}. */
  public String where() {
    return file + ":" + line;
  }
}
