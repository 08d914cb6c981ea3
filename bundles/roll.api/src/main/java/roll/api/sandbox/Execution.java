package roll.api.sandbox;

/**
 * The result of running a program.
 *
 * @param output its output, and the value of the last line if it is an expression; truncated to the
 *     limit
 * @param error the last line of its error, or the reason it was stopped; empty on success
 */
public record Execution(Outcome outcome, String output, String error) {
  /** Outcome of the run of a program. */
  public enum Outcome {
    /** Execution outcome: exited without an error. */
    DONE,
    /** Failed with an error, including forbidden operations. */
    FAILED,
    /** Execution outcome: exceeded the time limit. */
    TIMEOUT,
    /** Execution outcome: exceeded the memory limit. */
    MEMORY
  }

  /** Whether the execution exited without an error. */
  public boolean done() {
    return outcome == Outcome.DONE;
  }
}
