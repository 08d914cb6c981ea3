package roll.api.tool;

/**
 * The result of a tool call.
 *
 * @param observation result shown to the model; the caller truncates it if it is too long
 */
public record ToolResult(String observation, Status status) {
  /** The status of a tool call. */
  public enum Status {
    /** Status of a tool call: succeeded. */
    SUCCESS,
    /** Tool result status: failed; the observation is the reason. */
    ERROR,
    /** Succeeded and ends the episode; the observation is the answer. */
    FINISH
  }

  /** Creates the result of a successful tool call. */
  public static ToolResult of(String observation) {
    return new ToolResult(observation, Status.SUCCESS);
  }

  /** Creates the result of a failed tool call, with the reason. */
  public static ToolResult error(String observation) {
    return new ToolResult(observation, Status.ERROR);
  }

  /** A result that ends the episode with an answer. */
  public static ToolResult finish(String answer) {
    return new ToolResult(answer, Status.FINISH);
  }
}
