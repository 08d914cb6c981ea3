package roll.api.tracking;

/**
 * The end of a run.
 *
 * @param state how it ended
 * @param steps number of completed steps
 * @param reason why it failed, on one line; empty if it did not
 */
public record RunEnd(State state, int steps, String reason) {
  /** The kinds of ends. */
  public enum State {
    /** All steps of the run are done. */
    FINISHED,
    /** The run was stopped before its last step, and saved. */
    INTERRUPTED,
    /** An error ended the run. */
    FAILED
  }
}
