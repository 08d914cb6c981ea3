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
import roll.ui.web.Answer;
import roll.ui.web.Ask;
import roll.ui.web.Endpoint;
import roll.ui.web.JsonText;

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
  private final MetricFiles metrics;

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
    this.metrics = metrics;
  }

  /** By method and path. */
  public Map<String, Endpoint> endpoints() {
    return Map.of(
        "GET /api/runs", _ -> list(),
        "GET /api/runs/{id}", ask -> new Answer.Json(details(entry(ask))),
        "GET /api/runs/{id}/series", this::series,
        "GET /api/runs/{id}/phases", this::phases,
        "GET /api/runs/{id}/log", this::log);
  }

  /** All runs. */
  public Answer list() {
    return new Answer.Json(Map.of("runs", summaries.all()));
  }

  private RunEntry entry(Ask ask) {
    return folders.find(ask.part(0));
  }

  private JsonObject details(RunEntry entry) throws IOException, InterruptedException {
    FolderFacts facts = summaries.facts(entry);
    RunSummary summary = facts.summary(entry);
    RunHistory.Told told = facts.history().told();
    MetricFile.Overview known = metrics.of(entry.folder()).overview();
    Map<String, Object> more = new LinkedHashMap<>();
    if (summary.served().isEmpty()) {
      more.put("served", told.served());
    }
    more.put("names", known.names());
    more.put("config", facts.config().text());
    more.put("keys", facts.config().keys());
    more.put("notices", notices(entry.run(), told, known));
    more.put("swaps", told.swaps());
    more.put("trajectories", new TrajectoryFolder(entry.folder()).steps());
    RunPlan plan = plans.of(entry);
    if (plan != null) {
      more.put("plan", plan);
    }
    JsonObject details = JsonText.tree(summary);
    JsonText.tree(more).asMap().forEach(details::add);
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
    if (metrics.every() > 1) {
      notices.add(
          "%s: one step in %d is shown, there is no memory for more"
              .formatted(MetricFiles.NAME, metrics.every()));
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
    return new Answer.Json(metrics.of(entry.folder()).series(names, from, to, points));
  }

  private Answer phases(Ask ask) throws IOException, InterruptedException {
    int from = ask.number("from", 0, 0, Integer.MAX_VALUE);
    int to = ask.number("to", Integer.MAX_VALUE, 0, Integer.MAX_VALUE);
    return new Answer.Json(PhaseTimeline.of(metrics.of(entry(ask).folder()), from, to));
  }

  private Answer log(Ask ask) throws IOException {
    int lines = ask.number("lines", LINES, 1, MOST_LINES);
    return new Answer.Json(Map.of("lines", LogFiles.last(entry(ask).folder(), lines)));
  }
}
