package roll.ui.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.http.HttpRefusal;
import roll.ui.metric.MetricFile;
import roll.ui.metric.MetricFiles;
import roll.ui.web.ApiAnswer;
import roll.ui.web.CsvText;

/** The values of some metrics by step, for other programs. */
final class MetricExport {
  private static final int MAX_STEPS = 200_000;

  private MetricExport() {}

  /** The metrics of a step; numbers alone. */
  private record Step(int step, Map<String, Double> metrics) {}

  /**
   * Returns all steps of {@code file} that were kept.
   *
   * @param format {@code json} or {@code csv}
   * @throws HttpRefusal 409 while the file is being read, or where not all of its steps are kept
   * @throws UserException if the format is unknown
   */
  static ApiAnswer of(MetricFile file, List<String> names, String format)
      throws IOException, InterruptedException {
    MetricFile.Overview known = file.overview();
    if (!known.complete()) {
      throw new HttpRefusal(409, MetricFiles.NAME + " is still being read; try again");
    }
    if (known.every() > 1 || known.last() >= MAX_STEPS) {
      throw new HttpRefusal(409, "too many steps: copy " + MetricFiles.NAME + " itself");
    }
    List<Step> steps = new ArrayList<>();
    file.rows(
        0, known.last(), names::contains, (step, values) -> steps.add(new Step(step, values)));
    return switch (format) {
      case "json" -> new ApiAnswer.Json(steps);
      case "csv" -> csv(names, steps);
      default -> throw new UserException("format: expected json or csv, found '" + format + "'");
    };
  }

  private static ApiAnswer csv(List<String> names, List<Step> steps) {
    CsvText text = new CsvText();
    List<@Nullable Object> head = new ArrayList<>(List.of("step"));
    head.addAll(names);
    text.row(head);
    for (Step step : steps) {
      List<@Nullable Object> row = new ArrayList<>(List.of(step.step()));
      names.forEach(name -> row.add(step.metrics().get(name)));
      text.row(row);
    }
    return new ApiAnswer.Bytes(CsvText.TYPE, text.toString().getBytes(StandardCharsets.UTF_8));
  }
}
