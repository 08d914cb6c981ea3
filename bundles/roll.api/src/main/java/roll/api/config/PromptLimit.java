package roll.api.config;

/**
 * How long the first prompt of an episode may be.
 *
 * @param most tokens; 0 sets no limit of its own
 * @param truncation what becomes of a longer one
 */
public record PromptLimit(int most, Truncation truncation) {
  /** No limit beside the length of a sample. */
  public static final PromptLimit NONE = new PromptLimit(0, Truncation.ERROR);

  /** What becomes of a prompt that is too long. */
  public enum Truncation {
    /** It ends the run. */
    ERROR,
    /** Its beginning is cut off. */
    LEFT,
    /** Its end is cut off. */
    RIGHT,
    /** Its middle is cut out. */
    MIDDLE
  }
}
