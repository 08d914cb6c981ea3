package roll.ui.run;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.runtime.pipeline.RunStatus;
import roll.runtime.pipeline.TrainingRun;
import roll.ui.web.Answer;
import roll.ui.web.Endpoint;

/** What is said of runs. */
public final class RunEndpoints {
  private final RunFolders runs;

  /** Of {@code runs}. */
  public RunEndpoints(RunFolders runs) {
    this.runs = runs;
  }

  /** By method and path. */
  public Map<String, Endpoint> endpoints() {
    return Map.of(
        "GET /api/runs",
        _ ->
            new Answer.Json(
                Map.of("runs", runs.all().stream().map(RunEndpoints::summary).toList())));
  }

  private static Map<String, @Nullable Object> summary(RunEntry entry) {
    Map<String, @Nullable Object> summary = new LinkedHashMap<>();
    TrainingRun run = entry.run();
    summary.put("id", entry.id());
    summary.put("name", run == null ? String.valueOf(entry.folder().getFileName()) : run.name());
    summary.put("folder", entry.folder().toString());
    summary.put("live", run != null && run.status().state().active());
    if (run != null) {
      RunStatus status = run.status();
      summary.put("step", status.step());
      summary.put("maxSteps", status.maxSteps());
      summary.put("phase", status.phase());
    }
    return summary;
  }
}
