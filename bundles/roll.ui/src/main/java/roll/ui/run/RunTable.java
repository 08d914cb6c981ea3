package roll.ui.run;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import roll.runtime.listing.RunQuery;
import roll.ui.web.ApiAnswer;
import roll.ui.web.ApiRequest;
import roll.ui.web.CsvText;
import roll.ui.web.JsonText;

/** The list of runs as JSON or CSV. */
record RunTable(RunSummaries summaries) {
  /** An answer waits for metrics at most this long; the page asks again for the rest. */
  private static final long READING_MILLIS = 400;

  private static final int MAX_FIELDS = 10_000;

  private static final List<String> HEAD =
      List.of("name", "folder", "state", "step", "max_steps", "started", "ended", "tags", "note");

  private static long deadline() {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(READING_MILLIS);
  }

  /** Answers with the runs that the parameters of {@code request} select. */
  ApiAnswer answer(ApiRequest request) {
    RunQuery query =
        new RunQuery(
            request.text("q", ""),
            request.text("sort", ""),
            request.list("columns"),
            request.text("archived", "").equals("1"));
    RunSelection found = RunSelection.of(summaries, query, deadline());
    if (request.text("format", "").equals("csv")) {
      return csv(query.columns(), found);
    }
    return new ApiAnswer.Json(
        Map.of(
            "runs",
            found.rows().stream().map(RunTable::json).toList(),
            "complete",
            found.complete(),
            "archived",
            found.archived()));
  }

  private static JsonObject json(RunSelection.Row row) {
    JsonObject run = JsonText.tree(row.run());
    JsonText.tree(row.notes()).asMap().forEach(run::add);
    run.add("columns", JsonText.tree(row.columns()));
    return run;
  }

  private static ApiAnswer csv(List<String> columns, RunSelection found) {
    CsvText text = new CsvText();
    List<String> head = new ArrayList<>(HEAD);
    head.addAll(columns);
    text.row(head);
    for (RunSelection.Row row : found.rows()) {
      RunSummary run = row.run();
      List<@Nullable Object> cells = new ArrayList<>();
      cells.add(run.name());
      cells.add(run.folder());
      cells.add(run.state());
      cells.add(run.step());
      cells.add(run.maxSteps());
      cells.add(instant(run.started()));
      cells.add(instant(run.ended()));
      cells.add(String.join(" ", row.notes().tags()));
      cells.add(row.notes().note());
      cells.addAll(row.columns().values());
      text.row(cells);
    }
    return new ApiAnswer.Bytes(CsvText.TYPE, text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static @Nullable Instant instant(@Nullable Long millis) {
    return millis == null ? null : Instant.ofEpochMilli(millis);
  }

  /** Answers with the keys and metrics of all runs, which may be columns. */
  ApiAnswer fields() {
    Set<String> keys = new TreeSet<>();
    Set<String> metrics = new TreeSet<>();
    boolean complete = true;
    long deadline = deadline();
    for (RunSummary run : summaries.all()) {
      try {
        RunFolder folder = summaries.folder(run);
        keys.addAll(folder.keys().keySet());
        complete &= folder.totals().read(deadline);
        metrics.addAll(folder.totals().names());
      } catch (IOException e) {
        // it was removed, or is not readable
      }
    }
    return new ApiAnswer.Json(
        Map.of(
            "keys",
            keys.stream().limit(MAX_FIELDS).toList(),
            "metrics",
            metrics.stream().limit(MAX_FIELDS).toList(),
            "complete",
            complete));
  }
}
