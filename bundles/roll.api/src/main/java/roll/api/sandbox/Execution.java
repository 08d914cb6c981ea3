package roll.api.sandbox;

/**
 * How a program ran.
 *
 * @param output what it printed, and the value of a last line that is an expression; cut to the
 *     limit
 * @param error the last line of its error, or what stopped it; empty where it ended well
 */
public record Execution(Outcome outcome, String output, String error) {
  /** How a program ended. */
  public enum Outcome {
    /** By itself, without an error. */
    DONE,
    /** With an error of its own, also where it asked for what is forbidden. */
    FAILED,
    /** It ran too long. */
    TIMEOUT,
    /** It took too much memory. */
    MEMORY
  }

  /** Whether it ended by itself without an error. */
  public boolean done() {
    return outcome == Outcome.DONE;
  }
}
