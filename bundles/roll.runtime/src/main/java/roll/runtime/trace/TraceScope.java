package roll.runtime.trace;

import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.tracking.Tracing.Trace;

/**
 * Begins the spans of the episodes of a rollout.
 *
 * @param name unique among the rollouts of the run that play equal episodes, such as {@code val-3}
 */
public record TraceScope(Tracer tracer, String name) {
  /** Name of the scope of all training episodes. */
  public static final String TRAIN = "train";

  /** The scope of a rollout that records no spans. */
  public static final TraceScope NONE = new TraceScope(Tracer.NONE, "");

  /**
   * Begins the span of an attempt at an episode; attempts at the same episode share a trace.
   *
   * @param id of its trajectory
   */
  public Span episode(String id) {
    return tracer.episode(trace(id)).set("roll.trajectory_id", id);
  }

  /** Returns the trace of the episode with the trajectory {@code id}; null if there is none. */
  public @Nullable Trace traceOf(String id) {
    return tracer.trace(trace(id));
  }

  /**
   * Returns and forgets the parts of the last attempt at the episode with the trajectory {@code
   * id}; none if they are not known.
   */
  public List<TimelinePart> takeTimeline(String id) {
    return tracer.takeTimeline(trace(id));
  }

  private String trace(String id) {
    return name + "/" + id;
  }
}
