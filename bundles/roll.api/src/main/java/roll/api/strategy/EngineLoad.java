package roll.api.strategy;

/**
 * Load of an inference engine since the previous query.
 *
 * @param use maximum share of the KV cache or of the sequence slots in use, from 0 to 1; NaN if
 *     unknown
 * @param waiting minimum number of requests that waited to run, including preempted ones
 * @param preemptions number of times that a sequence was preempted since the engine started
 */
public record EngineLoad(double use, int waiting, long preemptions) {
  /** Load of an engine that does not report it. */
  public static final EngineLoad UNKNOWN = new EngineLoad(Double.NaN, 0, 0);
}
