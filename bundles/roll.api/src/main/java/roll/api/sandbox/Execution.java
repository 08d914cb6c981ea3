package roll.api.sandbox;

/**
 * The result of running a program.
 *
 * @param output its output, and the value of the last line if it is an expression; truncated to the
 *     limit
 * @param error the last line of its error, or the reason it was stopped; empty on success
 */
public record Execution(Outcome outcome, String output, String error) {
  /** The outcome of a program. */
  public enum Outcome {
    /** Exited without an error. */
    DONE,
    /** Failed with an error, including forbidden operations. */
    FAILED,
    /** Exceeded the time limit. */
    TIMEOUT,
    /** Exceeded the memory limit. */
    MEMORY
  }

  /** Whether it exited without an error. */
  public boolean done() {
    return outcome == Outcome.DONE;
  }
}
