package roll.api.tracking;

import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;

/** Receives the spans of a run. Called from many threads at once; calls do not wait. */
@ConsumerType
public interface Tracing {
  /**
   * Returns the trace of a step or an episode; null if it is not sampled. The same name has the
   * same trace after the run is resumed.
   *
   * @param name unique in the run
   */
  @Nullable Trace trace(String name);

  /** Records a finished span. */
  void ended(SpanData span);

  /**
   * The trace of a step or an episode.
   *
   * @param id 32 lower-case hexadecimal digits
   * @param link address of a page that shows the trace; empty without one
   */
  record Trace(String id, String link) {}
}
