package roll.ui.run;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.runtime.pipeline.TrainingRun;
import roll.ui.metric.MetricFile;
import roll.ui.metric.MetricFiles;
import roll.ui.web.ApiAnswer;
import roll.ui.web.ApiRequest;
import roll.ui.web.Endpoint;
import roll.ui.web.JsonText;

/** Answers requests about runs: the list, one run, its series, phases and log. */
public final class RunEndpoints {
  private static final int MAX_NAMES = 64;
  private static final int POINTS = 800;
  private static final int MAX_POINTS = 4096;
  private static final int LINES = 200;
  private static final int MAX_LINES = 5_000;

  private final RunFolders folders;
  private final RunSummaries summaries;
  private final RunPlans plans;
  private final MetricFiles metrics;

  /**
   * Creates the endpoints of the runs in {@code folders}.
   *
   * @param metrics of their runs
   * @param plans of their runs
   */
  public RunEndpoints(RunFolders folders, MetricFiles metrics, RunPlans plans) {
    this.folders = folders;
    this.plans = plans;
    summaries = new RunSummaries(folders);
    this.metrics = metrics;
  }

  /** Returns the endpoints by method and path. */
  public Map<String, Endpoint> endpoints() {
    return Map.of(
        "GET /api/runs", request -> new RunTable(summaries).answer(request),
        "GET /api/fields", _ -> new RunTable(summaries).fields(),
        "GET /api/runs/{id}/metrics", this::metrics,
        "GET /api/runs/{id}", request -> new ApiAnswer.Json(details(entry(request))),
        "GET /api/runs/{id}/series", this::series,
        "GET /api/runs/{id}/phases", this::phases,
        "GET /api/runs/{id}/log", this::log);
  }

  /** Returns all runs, archived ones too. */
  public List<RunSummary> list() {
    return summaries.all();
  }

  private RunEntry entry(ApiRequest request) {
    return folders.find(request.part(0));
  }

  private JsonObject details(RunEntry entry) throws IOException, InterruptedException {
    RunFolder runFolder = summaries.folder(entry);
    RunSummary summary = runFolder.summary(entry);
    RunHistory.Events events = runFolder.history().events();
    MetricFile.Overview known = metrics.of(entry.folder()).overview();
    Map<String, Object> more = new LinkedHashMap<>();
    if (summary.served().isEmpty()) {
      more.put("served", events.served());
    }
    more.put("notes", runFolder.notes());
    more.put("names", known.names());
    more.put("config", runFolder.config().text());
    more.put("keys", runFolder.config().keys());
    more.put("notices", notices(entry.run(), events, known));
    more.put("swaps", events.swaps());
    more.put("trajectories", new TrajectoryFolder(entry.folder()).steps());
    RunPlans.RunPlan plan = plans.of(entry);
    if (plan != null) {
      more.put("plan", plan);
    }
    JsonObject details = JsonText.tree(summary);
    JsonText.tree(more).asMap().forEach(details::add);
    return details;
  }

  /** Joins notices of the run, which it has before a log, of the log, and of the metrics file. */
  private static List<String> notices(
      @Nullable TrainingRun run, RunHistory.Events events, MetricFile.Overview metrics) {
    Set<String> notices = new LinkedHashSet<>(run == null ? List.of() : run.notices());
    notices.addAll(events.notices());
    if (metrics.broken() > 0) {
      notices.add(MetricFiles.NAME + ": " + metrics.broken() + " lines could not be read");
    }
    if (metrics.every() > 1) {
      notices.add(
          "%s: one of every %d steps is shown; more do not fit in memory"
              .formatted(MetricFiles.NAME, metrics.every()));
    }
    return new ArrayList<>(notices);
  }

  private static List<String> names(ApiRequest request) {
    List<String> names = request.list("names");
    if (names.isEmpty() || names.size() > MAX_NAMES) {
      throw new UserException(
          "names: expected 1 to %d metrics, separated by commas, found %d"
              .formatted(MAX_NAMES, names.size()));
    }
    return names;
  }

  private ApiAnswer metrics(ApiRequest request) throws IOException, InterruptedException {
    MetricFile file = metrics.of(entry(request).folder());
    return MetricExport.of(file, names(request), request.text("format", "json"));
  }

  private ApiAnswer series(ApiRequest request) throws IOException, InterruptedException {
    RunEntry entry = entry(request);
    List<String> names = names(request);
    int from = request.number("from", 0, 0, Integer.MAX_VALUE);
    int to = request.number("to", Integer.MAX_VALUE, 0, Integer.MAX_VALUE);
    int points = request.number("points", POINTS, 1, MAX_POINTS);
    return new ApiAnswer.Json(metrics.of(entry.folder()).series(names, from, to, points));
  }

  private ApiAnswer phases(ApiRequest request) throws IOException, InterruptedException {
    int from = request.number("from", 0, 0, Integer.MAX_VALUE);
    int to = request.number("to", Integer.MAX_VALUE, 0, Integer.MAX_VALUE);
    return new ApiAnswer.Json(PhaseTimeline.of(metrics.of(entry(request).folder()), from, to));
  }

  private ApiAnswer log(ApiRequest request) throws IOException {
    int lines = request.number("lines", LINES, 1, MAX_LINES);
    return new ApiAnswer.Json(Map.of("lines", RunLog.last(entry(request).folder(), lines)));
  }
}
