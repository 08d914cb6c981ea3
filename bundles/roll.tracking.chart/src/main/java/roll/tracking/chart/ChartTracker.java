package roll.tracking.chart;

import java.nio.file.Path;
import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.api.option.Option;
import roll.api.tracking.RollTracker;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracking;
import roll.chart.ChartImage;

/** Draws scores and success rates by step into {@code learning-curve.png} in the run's folder. */
@Component(name = "roll.tracking.chart")
@RollTracker("chart")
public final class ChartTracker implements Tracker {
  private static final Option<Integer> EVERY =
      Option.integer(
              "every", 1, Integer.MAX_VALUE, "Steps between drawings; the end is always drawn")
          .withDefault(25);

  @Override
  public List<Option<?>> options() {
    return List.of(EVERY);
  }

  @Override
  public Tracking open(TrackedRun run) {
    int every = run.options().get(EVERY);
    ChartImage.requireText("track_with: chart", "leave chart out");
    Path points = run.folder().resolve("learning-curve.csv");
    Path picture = run.folder().resolve("learning-curve.png");
    return new ChartTracking(run.name(), CurvePoints.open(points, run.firstStep()), picture, every);
  }
}
