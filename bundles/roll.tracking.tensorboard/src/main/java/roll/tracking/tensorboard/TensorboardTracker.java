package roll.tracking.tensorboard;

import java.nio.file.Path;
import java.time.Clock;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import roll.api.tracking.RollTracker;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracking;

/** Writes the metrics as TensorBoard scalars into {@code tensorboard/} of the run's folder. */
@Component(name = "roll.tracking.tensorboard")
@RollTracker("tensorboard")
public final class TensorboardTracker implements Tracker {
  private final Clock clock;

  /** A tracker that dates events by the system's clock. */
  @Activate
  public TensorboardTracker() {
    this(Clock.systemUTC());
  }

  /** A tracker that dates events by {@code clock}. */
  TensorboardTracker(Clock clock) {
    this.clock = clock;
  }

  @Override
  public Tracking open(TrackedRun run) {
    Path folder = run.folder().resolve("tensorboard");
    EarlierEvents.cutBack(folder, run.firstStep());
    return new TensorboardTracking(
        EventFile.create(folder, clock.instant()), clock, run.firstStep());
  }
}
