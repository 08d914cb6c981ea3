package roll.tracking.tensorboard;

import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import roll.api.tracking.Tracking;

/** Writes one event file: the version, the session start, then the scalars of steps. */
final class TensorboardTracking implements Tracking {
  private final EventFile file;
  private final Clock clock;

  /**
   * Creates the event file {@code file} from {@code firstStep} on. The session start makes
   * TensorBoard drop the points of earlier files from this step on.
   */
  TensorboardTracking(EventFile file, Clock clock, int firstStep) {
    this.file = file;
    this.clock = clock;
    file.append(EventMessages.fileVersion(seconds()));
    file.append(EventMessages.sessionStart(seconds(), firstStep));
  }

  @Override
  public void log(int step, Map<String, Double> metrics) {
    file.append(EventMessages.scalars(seconds(), step, metrics));
  }

  @Override
  public void flush() {
    file.force();
  }

  @Override
  public void close() {
    file.close();
  }

  /** Returns the seconds since 1970, as in events. */
  private double seconds() {
    Instant now = clock.instant();
    return now.getEpochSecond() + now.getNano() * 1e-9;
  }
}
