package roll.shell.grade;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.reward.Grade;
import roll.shell.terminal.Json;
import roll.shell.terminal.Table;

/**
 * A graded row of a data set.
 *
 * @param line line of the file where the row begins, from 1
 * @param known accepted answers
 * @param grade score, details and extracted answer
 */
record GradedRow(long line, List<String> known, Grade grade) {
  private static final List<String> RIGHT = List.of("acc", "em");
  private static final int SHOWN = 40;

  /** Returns the graded row as one line of JSON. */
  String json() {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("line", line);
    fields.put("score", grade.score());
    fields.put("extracted", grade.answer());
    fields.put("known", known);
    fields.put("details", grade.details());
    return Json.whole(fields);
  }

  /** Returns the correctness from 0 to 1; null if the grade has none. */
  private @Nullable Double right() {
    return RIGHT.stream()
        .filter(grade.details()::containsKey)
        .findFirst()
        .map(grade.details()::get)
        .orElse(null);
  }

  /** Returns a table of the graded {@code rows}. */
  static String table(List<GradedRow> rows) {
    Table table = new Table().row("line", "score", "extracted", "known answer");
    for (GradedRow row : rows) {
      String answer = row.grade().answer();
      table.row(
          String.valueOf(row.line()),
          number(row.grade().score()),
          answer == null ? "–" : cell(answer),
          cell(String.join(" | ", row.known())));
    }
    return table.toString();
  }

  /** Returns one line for {@code rows}, not empty: mean score, share correct, speed. */
  static String summary(List<GradedRow> rows, double seconds) {
    double mean = rows.stream().mapToDouble(row -> row.grade().score()).average().orElse(0);
    List<Double> right = rows.stream().map(GradedRow::right).toList();
    String rate = "";
    if (!right.contains(null)) {
      double sum = right.stream().mapToDouble(Double::doubleValue).sum();
      String of = sum == Math.rint(sum) ? " (%.0f of %d)".formatted(sum, rows.size()) : "";
      rate = ", correct " + String.format(Locale.ROOT, "%.1f %%", 100 * sum / rows.size()) + of;
    }
    return String.format(
        Locale.ROOT,
        "%,d %s: mean score %s%s; %.2f s, %,.0f rows/s",
        rows.size(),
        rows.size() == 1 ? "row" : "rows",
        number(mean),
        rate,
        seconds,
        rows.size() / Math.max(seconds, 1e-9));
  }

  /** Returns {@code value} in one line of at most 40 characters, control characters as escapes. */
  static String cell(Object value) {
    StringBuilder cell = new StringBuilder();
    int[] points = String.valueOf(value).codePoints().limit(SHOWN + 1L).toArray();
    for (int i = 0; i < Math.min(points.length, SHOWN); i++) {
      switch (points[i]) {
        case '\n' -> cell.append("\\n");
        case '\t' -> cell.append("\\t");
        default -> {
          boolean control =
              Character.isISOControl(points[i])
                  || Character.getType(points[i]) == Character.FORMAT
                  || points[i] == 0x2028
                  || points[i] == 0x2029;
          cell.append(control ? "\\u%04x".formatted(points[i]) : Character.toString(points[i]));
        }
      }
    }
    return points.length > SHOWN ? cell.append('…').toString() : cell.toString();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }
}
