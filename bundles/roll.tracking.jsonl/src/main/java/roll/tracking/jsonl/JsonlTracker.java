package roll.tracking.jsonl;

import java.nio.file.Path;
import org.osgi.service.component.annotations.Component;
import roll.api.tracking.RollTracker;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracking;

/** Writes {@code metrics.jsonl} in the run's folder: one JSON object per step. */
@Component(name = "roll.tracking.jsonl")
@RollTracker("jsonl")
public final class JsonlTracker implements Tracker {
  /** Name of the file in the run's folder. */
  static final String FILE = "metrics.jsonl";

  @Override
  public Tracking open(TrackedRun run) {
    Path file = run.folder().resolve(FILE);
    MetricsTruncation.cutBack(file, run.firstStep());
    return new JsonlTracking(file);
  }
}
