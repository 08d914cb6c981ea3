package roll.runtime.pipeline;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The status of a run at one moment.
 *
 * @param state of the run
 * @param step completed steps
 * @param maxSteps total steps
 * @param phase the current phase of a step, as in the metric {@code time/step_<phase>}; empty
 *     between steps
 * @param waiting one line on what it waits for or why it failed; null if neither applies
 * @param served bundles and versions in use, separated by commas; empty before the first step
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
  /** Returns the same run status in another state. */
  public RunStatus in(State other) {
    return new RunStatus(other, step, maxSteps, phase, waiting, served, started, ended, metrics);
  }

  /** The states of a run. */
  public enum State {
    /** Run status state: models are being loaded. */
    STARTING,
    /** Run status state: steps are being executed. */
    RUNNING,
    /**
     * Run status state: a required plugin is missing; the run continues when a bundle provides it.
     */
    WAITING,
    /** The run is paused, or will be at the next step boundary. */
    PAUSED,
    /** Run status state: the current step completes, then a checkpoint is saved. */
    STOPPING,
    /** Run status state: the run was stopped before its last step, with a checkpoint. */
    STOPPED,
    /** Run status state: the run ended after its last step. */
    FINISHED,
    /** Run status state: the run ended with an error. */
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
