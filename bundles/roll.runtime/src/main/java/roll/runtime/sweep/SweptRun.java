package roll.runtime.sweep;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run of a sweep.
 *
 * @param name its values, as the tables have them
 * @param values by key, as they were written
 * @param folder its output folder
 * @param state what has become of it
 * @param problem one line: why it failed; null where it did not
 * @param steps how many steps its metrics have
 * @param curve of the metric that is compared; empty where it has none
 * @param last the last value of the curve, or null
 * @param best its best value, or null
 * @param bestStep the first step that had it, or null
 */
public record SweptRun(
    String name,
    Map<String, String> values,
    String folder,
    State state,
    @Nullable String problem,
    int steps,
    List<CurvePoint> curve,
    @Nullable Double last,
    @Nullable Double best,
    @Nullable Integer bestStep) {
  /** Copies the collections; the order of the values stays. */
  public SweptRun {
    values = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(values));
    curve = List.copyOf(curve);
  }

  /**
   * A point of a metric's curve.
   *
   * @param step as {@code metrics.jsonl} has it
   * @param value finite
   */
  public record CurvePoint(int step, double value) {}

  /** The state of a run of a sweep. */
  public enum State {
    /** Swept run state: the run has not started. */
    WAITING,
    /** Swept run state: running, or killed together with the sweep's process. */
    RUNNING,
    /** Swept run state: stopped on request, with a checkpoint. */
    STOPPED,
    /** Swept run state: ended with an error, or killed. */
    FAILED,
    /** Swept run state: completed all steps. */
    FINISHED
  }
}
