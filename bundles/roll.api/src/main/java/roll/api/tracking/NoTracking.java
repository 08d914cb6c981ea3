package roll.api.tracking;

import java.util.Map;

/** Tracks nothing. */
enum NoTracking implements Tracking {
  NONE;

  @Override
  public void log(int step, Map<String, Double> metrics) {}

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
