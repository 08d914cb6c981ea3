package roll.api.config;

/**
 * Length limit of the first prompt of an episode.
 *
 * @param most maximum number of tokens; 0 sets no limit of its own
 * @param truncation treatment of a longer prompt
 */
public record PromptLimit(int most, Truncation truncation) {
  /** Prompt limit without a limit other than the sequence length. */
  public static final PromptLimit NONE = new PromptLimit(0, Truncation.ERROR);

  /** Treatment of a prompt that is too long. */
  public enum Truncation {
    /** Prompt limit truncation: the run ends with an error. */
    ERROR,
    /** Prompt limit truncation: the beginning is cut off. */
    LEFT,
    /** Prompt limit truncation: the end is cut off. */
    RIGHT,
    /** Prompt limit truncation: the middle is cut out. */
    MIDDLE
  }
}
