package roll.api.tool;

/**
 * The result of a call.
 *
 * @param observation what the model sees; the caller truncates it if it is too long
 */
public record ToolResult(String observation, Status status) {
  /** How a call ended. */
  public enum Status {
    /** It succeeded. */
    SUCCESS,
    /** It failed; the observation says why. */
    ERROR,
    /** It succeeded, and the episode ends: the observation is the answer. */
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
