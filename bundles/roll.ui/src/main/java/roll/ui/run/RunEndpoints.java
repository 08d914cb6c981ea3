package roll.ui.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.runtime.pipeline.TrainingRun;
import roll.ui.metric.MetricFile;
import roll.ui.metric.MetricFiles;
import roll.ui.run.OpenRuns.OpenRun;
import roll.ui.web.Answer;
import roll.ui.web.Ask;
import roll.ui.web.Endpoint;

/** What is said of runs: the list, one of them, its series, phases and log. */
public final class RunEndpoints {
  private static final int MOST_NAMES = 64;
  private static final int POINTS = 800;
  private static final int MOST_POINTS = 4096;
  private static final int LINES = 200;
  private static final int MOST_LINES = 5_000;

  private final RunFolders folders;
  private final RunSummaries summaries;
  private final RunPlans plans;
  private final OpenRuns open;

  /**
   * Of {@code folders}.
   *
   * @param metrics of their runs
   * @param plans of their runs
   */
  public RunEndpoints(RunFolders folders, MetricFiles metrics, RunPlans plans) {
    this.folders = folders;
    this.plans = plans;
    summaries = new RunSummaries(folders);
    open = new OpenRuns(metrics);
  }

  /** By method and path. */
  public Map<String, Endpoint> endpoints() {
    return Map.of(
        "GET /api/runs", _ -> new Answer.Json(Map.of("runs", summaries.all())),
        "GET /api/runs/{id}", ask -> new Answer.Json(details(entry(ask))),
        "GET /api/runs/{id}/series", this::series,
        "GET /api/runs/{id}/phases", this::phases,
        "GET /api/runs/{id}/log", this::log);
  }

  /** The list of runs, for whoever tells of changes. */
  public RunSummaries summaries() {
    return summaries;
  }

  private RunEntry entry(Ask ask) {
    return folders.find(ask.part(0));
  }

  private Map<String, @Nullable Object> details(RunEntry entry)
      throws IOException, InterruptedException {
    OpenRun run = open.of(entry.folder());
    RunSummary summary = summaries.of(entry);
    RunHistory.Told told = run.history().told();
    MetricFile.Overview metrics = run.metrics().overview();
    Map<String, @Nullable Object> details = summary.fields();
    if (summary.served().isEmpty()) {
      details.put("served", told.served());
    }
    details.put("names", metrics.names());
    details.put("config", summaries.facts(entry).config());
    details.put("notices", notices(entry.run(), told, metrics));
    details.put("swaps", told.swaps());
    details.put("trajectories", TrajectorySteps.of(entry.folder()));
    RunPlan plan = plans.of(entry);
    if (plan != null) {
      details.put("plan", plan);
    }
    return details;
  }

  /** A run of this process has notices before it has a log. */
  private static List<String> notices(
      @Nullable TrainingRun run, RunHistory.Told told, MetricFile.Overview metrics) {
    Set<String> notices = new LinkedHashSet<>(run == null ? List.of() : run.notices());
    notices.addAll(told.notices());
    if (metrics.broken() > 0) {
      notices.add(MetricFiles.NAME + ": " + metrics.broken() + " lines could not be read");
    }
    return new ArrayList<>(notices);
  }

  private Answer series(Ask ask) throws IOException, InterruptedException {
    RunEntry entry = entry(ask);
    List<String> names =
        List.of(ask.text("names", "").split(",", -1)).stream()
            .filter(name -> !name.isEmpty())
            .distinct()
            .toList();
    if (names.isEmpty() || names.size() > MOST_NAMES) {
      throw new UserException(
          "names: expected 1 to %d metrics, separated by commas, found %d"
              .formatted(MOST_NAMES, names.size()));
    }
    int from = ask.number("from", 0, 0, Integer.MAX_VALUE);
    int to = ask.number("to", Integer.MAX_VALUE, 0, Integer.MAX_VALUE);
    int points = ask.number("points", POINTS, 1, MOST_POINTS);
    MetricFile metrics = open.of(entry.folder()).metrics();
    return new Answer.Bytes(
        "application/json", SeriesJson.of(metrics.series(names, from, to, points)));
  }

  private Answer phases(Ask ask) throws IOException, InterruptedException {
    int from = ask.number("from", 0, 0, Integer.MAX_VALUE);
    int to = ask.number("to", Integer.MAX_VALUE, 0, Integer.MAX_VALUE);
    return new Answer.Json(open.of(entry(ask).folder()).timeline().between(from, to));
  }

  private Answer log(Ask ask) throws IOException {
    int lines = ask.number("lines", LINES, 1, MOST_LINES);
    return new Answer.Json(Map.of("lines", LogFiles.last(entry(ask).folder(), lines)));
  }
}
