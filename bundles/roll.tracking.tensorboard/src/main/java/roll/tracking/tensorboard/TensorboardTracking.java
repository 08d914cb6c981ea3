package roll.tracking.tensorboard;

import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import roll.api.tracking.Tracking;

/** One event file on its way: the version, the start of the session, then the scalars of steps. */
final class TensorboardTracking implements Tracking {
  private final EventFile file;
  private final Clock clock;

  /**
   * Writes into {@code file} from {@code firstStep} on. The session's start makes TensorBoard drop
   * the points that earlier files of the folder have from this step on.
   */
  TensorboardTracking(EventFile file, Clock clock, int firstStep) {
    this.file = file;
    this.clock = clock;
    file.append(Events.fileVersion(seconds()));
    file.append(Events.sessionStart(seconds(), firstStep));
  }

  @Override
  public void log(int step, Map<String, Double> metrics) {
    file.append(Events.scalars(seconds(), step, metrics));
  }

  @Override
  public void flush() {
    file.force();
  }

  @Override
  public void close() {
    file.close();
  }

  /** Seconds since 1970, as events carry them. */
  private double seconds() {
    Instant now = clock.instant();
    return now.getEpochSecond() + now.getNano() * 1e-9;
  }
}
