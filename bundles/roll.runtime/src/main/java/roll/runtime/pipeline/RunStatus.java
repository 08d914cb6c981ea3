package roll.runtime.pipeline;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run does at one moment.
 *
 * @param state in which it is
 * @param step steps that are complete
 * @param maxSteps steps it will have
 * @param phase the phase of a step it is in, as the metric {@code time/step_<phase>} names it;
 *     empty between steps
 * @param waiting what it waits for, one line, or why it failed; null where there is nothing to say
 * @param served bundles and versions that serve, separated by commas; empty before the first step
 * @param started when it was started
 * @param ended when it ended, or null
 * @param metrics of the last complete step
 */
public record RunStatus(
    State state,
    int step,
    int maxSteps,
    String phase,
    @Nullable String waiting,
    String served,
    Instant started,
    @Nullable Instant ended,
    Map<String, Double> metrics) {
  /** The same in another state. */
  public RunStatus in(State other) {
    return new RunStatus(other, step, maxSteps, phase, waiting, served, started, ended, metrics);
  }

  /** The states of a run. */
  public enum State {
    /** Its models are being loaded. */
    STARTING,
    /** It works. */
    RUNNING,
    /** A bundle is missing: it goes on when one offers what it needs. */
    WAITING,
    /** It was asked to wait. */
    PAUSED,
    /** It was asked to end; the step under way ends, then it is saved. */
    STOPPING,
    /** It ended before its last step, saved. */
    STOPPED,
    /** It ended after its last step. */
    FINISHED,
    /** It ended with an error. */
    FAILED;

    /** Whether the run has not ended. */
    public boolean active() {
      return switch (this) {
        case STARTING, RUNNING, WAITING, PAUSED, STOPPING -> true;
        case STOPPED, FINISHED, FAILED -> false;
      };
    }
  }
}
