package roll.api.tool;

/**
 * What came of a call.
 *
 * @param observation what the model is told; cut by the caller where it is too long
 */
public record ToolResult(String observation, Status status) {
  /** How a call ended. */
  public enum Status {
    /** It did what it was asked for. */
    SUCCESS,
    /** It did not; the observation says why. */
    ERROR,
    /** It did, and the episode ends: the observation is the answer. */
    FINISH
  }

  /** What was asked for. */
  public static ToolResult of(String observation) {
    return new ToolResult(observation, Status.SUCCESS);
  }

  /** Why it was not done. */
  public static ToolResult error(String observation) {
    return new ToolResult(observation, Status.ERROR);
  }

  /** The last words of the episode. */
  public static ToolResult finish(String answer) {
    return new ToolResult(answer, Status.FINISH);
  }
}
