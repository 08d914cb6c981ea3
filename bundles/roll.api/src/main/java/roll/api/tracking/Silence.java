package roll.api.tracking;

import java.util.Map;

/** Tracks nothing. */
enum Silence implements Tracking {
  SILENCE;

  @Override
  public void log(int step, Map<String, Double> metrics) {}

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
