package roll.tracking.wandb;

import java.util.Map;
import roll.api.tracking.Tracking;

/** Tracks nothing. */
final class SilentTracking implements Tracking {
  @Override
  public void log(int step, Map<String, Double> metrics) {}

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
