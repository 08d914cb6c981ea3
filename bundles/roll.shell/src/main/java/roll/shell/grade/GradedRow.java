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
 * A row and what it earned.
 *
 * @param line of the file where the row begins, from 1
 * @param known its answers that are right
 * @param grade what was given
 */
record GradedRow(long line, List<String> known, Grade grade) {
  private static final List<String> RIGHT = List.of("acc", "em");

  /** One line of JSON. */
  String json() {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("line", line);
    fields.put("score", grade.score());
    fields.put("extracted", grade.answer());
    fields.put("known", known);
    fields.put("details", grade.details());
    return Json.whole(fields);
  }

  /** Whether the answer is right, from 0 to 1; null where the grade does not tell. */
  private @Nullable Double right() {
    return RIGHT.stream()
        .filter(grade.details()::containsKey)
        .findFirst()
        .map(grade.details()::get)
        .orElse(null);
  }

  /** A table of {@code rows}. */
  static String table(List<GradedRow> rows) {
    Table table = new Table().row("line", "score", "extracted", "known answer");
    for (GradedRow row : rows) {
      String answer = row.grade().answer();
      table.row(
          String.valueOf(row.line()),
          number(row.grade().score()),
          answer == null ? "–" : TableText.of(answer),
          TableText.of(String.join(" | ", row.known())));
    }
    return table.toString();
  }

  /** One line on all of {@code rows}, at least one: mean score, rate of right answers, speed. */
  static String summary(List<GradedRow> rows, double seconds) {
    double mean = rows.stream().mapToDouble(row -> row.grade().score()).average().orElse(0);
    List<Double> right = rows.stream().map(GradedRow::right).toList();
    String rate = "";
    if (!right.contains(null)) {
      double sum = right.stream().mapToDouble(Double::doubleValue).sum();
      String of = sum == Math.rint(sum) ? " (%.0f of %d)".formatted(sum, rows.size()) : "";
      rate = ", right " + String.format(Locale.ROOT, "%.1f %%", 100 * sum / rows.size()) + of;
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

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }
}
