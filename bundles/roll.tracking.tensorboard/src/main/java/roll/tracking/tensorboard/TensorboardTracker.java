package roll.tracking.tensorboard;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import roll.api.option.Option;
import roll.api.tracking.RollTracker;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracking;

/**
 * Writes metrics as TensorBoard scalars, into {@code tensorboard/} of the run's folder or its own
 * subfolder of {@code log_dir}.
 */
@Component(name = "roll.tracking.tensorboard")
@RollTracker("tensorboard")
public final class TensorboardTracker implements Tracker {
  private static final Option<String> LOG_DIR =
      Option.text(
          "log_dir",
          "folder for events of several runs, each in a subfolder named by the experiment and eight"
              + " digits derived from its output folder; by default"
              + " `tensorboard/` of the run's folder");

  private final Clock clock;

  /** A tracker with the system's clock. */
  @Activate
  public TensorboardTracker() {
    this(Clock.systemUTC());
  }

  /** Creates a tracker with the given clock. */
  TensorboardTracker(Clock clock) {
    this.clock = clock;
  }

  @Override
  public List<Option<?>> options() {
    return List.of(LOG_DIR);
  }

  @Override
  public Tracking open(TrackedRun run) {
    Path folder = run.options().find(LOG_DIR).map(named -> below(named, run)).orElse(own(run));
    EventTruncation.cutBack(folder, run.firstStep());
    return new TensorboardTracking(
        EventFile.create(folder, clock.instant()), clock, run.firstStep());
  }

  private static Path own(TrackedRun run) {
    return run.folder().resolve("tensorboard");
  }

  /** Returns a different folder for each output folder: a run truncates only its own files. */
  private static Path below(String named, TrackedRun run) {
    String output = run.folder().toAbsolutePath().normalize().toString();
    String digits =
        UUID.nameUUIDFromBytes(output.getBytes(StandardCharsets.UTF_8)).toString().substring(0, 8);
    try {
      return Path.of(named, run.name() + "-" + digits);
    } catch (InvalidPathException e) {
      throw run.options().wrong(LOG_DIR, "a folder");
    }
  }
}
