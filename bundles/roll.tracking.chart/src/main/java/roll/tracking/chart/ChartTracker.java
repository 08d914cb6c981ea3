package roll.tracking.chart;

import java.nio.file.Path;
import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.api.option.OptionInfo;
import roll.api.option.Options;
import roll.api.tracking.RollTracker;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracking;

/** Draws scores and success rates by step into {@code learning-curve.png} of the run's folder. */
@Component(name = "roll.tracking.chart")
@RollTracker("chart")
public final class ChartTracker implements Tracker {
  private static final List<OptionInfo> OPTIONS =
      List.of(
          new OptionInfo(
              "every",
              OptionInfo.Type.INTEGER,
              25,
              "Steps between drawings; the end is always drawn."));

  @Override
  public Tracking open(TrackedRun run) {
    Options options = Options.of("tracker_kwargs.chart", run.options(), OPTIONS);
    int every = options.integer("every", 1, Integer.MAX_VALUE);
    LearningCurve.probe();
    Path points = run.folder().resolve("learning-curve.csv");
    Path picture = run.folder().resolve("learning-curve.png");
    return new ChartTracking(run.name(), Points.open(points, run.firstStep()), picture, every);
  }
}
