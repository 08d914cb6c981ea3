package roll.env.dataset;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.dataset.Row;

/** Fields of rows that are in files of their own, such as the answers of BFCL. */
final class AnswerRows {
  private static final String ID = "id";

  private AnswerRows() {}

  /**
   * Returns {@code rows} with the fields that the one of {@code answers} with the same {@code id}
   * has besides theirs.
   */
  static List<Row> joined(List<Row> rows, List<Row> answers) {
    Map<Object, Map<String, Object>> byId = new HashMap<>();
    for (Row answer : answers) {
      Object id = answer.fields().get(ID);
      if (id != null) {
        byId.put(id, answer.fields());
      }
    }
    return rows.stream().map(row -> joined(row, byId)).toList();
  }

  private static Row joined(Row row, Map<Object, Map<String, Object>> byId) {
    Object id = row.fields().get(ID);
    if (id == null || !byId.containsKey(id)) {
      return row;
    }
    Map<String, Object> all = new LinkedHashMap<>(byId.getOrDefault(id, Map.of()));
    all.putAll(row.fields());
    return new Row(row.file(), row.line(), all);
  }
}
