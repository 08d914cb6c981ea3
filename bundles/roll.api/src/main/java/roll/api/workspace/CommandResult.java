package roll.api.workspace;

/**
 * The result of a command.
 *
 * @param outcome how the command ended
 * @param status its exit status, 128 plus the signal's number if a signal ended it, 127 if the
 *     program was not found
 * @param output its standard output and standard error as they came, invalid UTF-8 replaced
 * @param dropped number of bytes left out in the middle of {@code output}
 */
public record CommandResult(Outcome outcome, int status, String output, long dropped) {
  /** Outcome of the run of a command. */
  public enum Outcome {
    /** The command exited or was ended by a signal of its own. */
    EXITED,
    /** The command exceeded its time limit and was ended. */
    TIMEOUT,
    /** The command exceeded the memory limit and was ended. */
    MEMORY,
    /** {@link Workspace#end} ended the command. */
    ENDED
  }

  /** Whether the command exited with status 0. */
  public boolean succeeded() {
    return outcome == Outcome.EXITED && status == 0;
  }
}
