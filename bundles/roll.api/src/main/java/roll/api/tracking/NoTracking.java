package roll.api.tracking;

import java.util.Map;

/** Tracking that drops all metrics. */
enum NoTracking implements Tracking {
  NONE;

  @Override
  public void log(int step, Map<String, Double> metrics) {}

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
