package roll.openai.answer;

import org.jspecify.annotations.Nullable;

/**
 * Why a choice ended.
 *
 * @param stopString the stop string that ended it, or null
 */
public record Ending(Reason reason, @Nullable String stopString) {
  /** The kinds of ends. */
  public enum Reason {
    /** A stop token or a stop string. */
    STOP,
    /** The maximum length. */
    LENGTH,
    /** There are tool calls. */
    CALLS
  }
}
