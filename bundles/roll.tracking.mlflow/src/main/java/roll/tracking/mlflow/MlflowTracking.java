package roll.tracking.mlflow;

import java.util.LinkedHashMap;
import java.util.Map;
import roll.api.tracking.Outbox;
import roll.api.tracking.Tracking;

/**
 * Metrics of one run on their way to the server. Nothing waits for the network but {@link #close}.
 *
 * @param outbox sends them
 */
record MlflowTracking(Outbox outbox) implements Tracking {
  @Override
  public void log(int step, Map<String, Double> metrics) {
    outbox.add(new Outbox.Row(step, System.currentTimeMillis(), new LinkedHashMap<>(metrics)));
  }

  /** Nothing: what was logged is on no disk of this machine. */
  @Override
  public void flush() {}

  @Override
  public void close() {
    outbox.close();
  }
}
