package roll.shell.eval;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import roll.shell.eval.EvalStatistics.Interval;
import roll.shell.terminal.Json;
import roll.shell.terminal.Table;

/**
 * The report on results.
 *
 * @param settings printed in the JSON only
 * @param figures of each tag, and of all tasks if there are several tags
 * @param comparison with other results, or null
 */
record EvalReport(
    Map<String, Object> settings, List<EvalFigures> figures, @Nullable EvalComparison comparison) {
  private static final String UNKNOWN = "–";

  /** Returns the report on {@code results} with pass@k for each of {@code ks}. */
  static EvalReport of(Map<String, Object> settings, EvalResults results, List<Integer> ks) {
    List<EvalFigures> figures = new ArrayList<>();
    results.byTag().forEach((tag, tasks) -> figures.add(EvalFigures.of(tag, tasks, ks)));
    if (figures.size() > 1) {
      figures.add(EvalFigures.of(EvalFigures.ALL, results.tasks().values(), ks));
    }
    return new EvalReport(settings, figures, null);
  }

  /** Returns the report with a comparison. */
  EvalReport with(EvalComparison compared) {
    return new EvalReport(settings, figures, compared);
  }

  /** Returns the report as JSON in one line. */
  String json() {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>(settings);
    fields.put("figures", figures);
    fields.put("compared", comparison);
    return Json.whole(fields);
  }

  /** Returns the figures as text, without a final line end. */
  String text() {
    List<Integer> ks = figures.getFirst().pass().keySet().stream().filter(k -> k > 1).toList();
    List<String> heading = new ArrayList<>(List.of("tag", "tasks", "samples", "success", "95 %"));
    ks.forEach(k -> heading.add("pass@" + k));
    heading.addAll(List.of("majority", "score", "tokens", "truncated"));
    Table table = new Table().row(heading.toArray(String[]::new));
    Set<String> measures = new TreeSet<>();
    for (EvalFigures row : figures) {
      List<String> cells = new ArrayList<>();
      cells.add(row.tag());
      cells.add(count(row.tasks()));
      cells.add(count(row.samples()));
      cells.add(percent(row.success()));
      cells.add(percent(row.interval(), "%.1f to %.1f"));
      ks.forEach(k -> cells.add(percent(row.pass().getOrDefault(k, Double.NaN))));
      cells.add(row.majority() == null ? UNKNOWN : percent(row.majority()));
      cells.add(String.format(Locale.ROOT, "%.3f", row.score()));
      cells.add(String.format(Locale.ROOT, "%.1f", row.tokens()));
      cells.add(percent(row.truncated()));
      table.row(cells.toArray(String[]::new));
      measures.addAll(row.measures());
    }
    return table + "\nsuccess: at least 1 in " + String.join(", ", measures);
  }

  /** Returns {@code compared} in one line. */
  static String text(EvalComparison compared) {
    return "compared with %s: success %s, difference %s points (95 %%: %s); tasks won %s, lost %s, tied %s; p = %s (%s)"
        .formatted(
            compared.folder(),
            percent(compared.success()),
            String.format(Locale.ROOT, "%+.1f", 100 * compared.difference()),
            percent(compared.interval(), "%+.1f to %+.1f"),
            count(compared.won()),
            count(compared.lost()),
            count(compared.tied()),
            String.format(Locale.ROOT, "%.4f", compared.p()),
            compared.test());
  }

  private static String count(int number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  private static String percent(Interval interval, String format) {
    return String.format(Locale.ROOT, format, 100 * interval.low(), 100 * interval.high());
  }
}
