package roll.api.config;

import org.jspecify.annotations.Nullable;

/**
 * How the prompts of an environment are built.
 *
 * @param systemTemplate system message, or null for none
 * @param template user message of a turn, with placeholders in braces
 * @param historyLength how many earlier turns a prompt rebuilt tells of
 * @param limit how long the first prompt may be
 * @param maxPictures how many a prompt may show; {@link Integer#MAX_VALUE} sets no limit
 */
public record PromptConfig(
    @Nullable String systemTemplate,
    String template,
    int historyLength,
    PromptLimit limit,
    int maxPictures) {
  /** As many pictures as there are. */
  public PromptConfig(
      @Nullable String systemTemplate, String template, int historyLength, PromptLimit limit) {
    this(systemTemplate, template, historyLength, limit, Integer.MAX_VALUE);
  }

  /** No system message, no limit, and five earlier turns, as by default. */
  public static PromptConfig of(String template) {
    return new PromptConfig(null, template, 5, PromptLimit.NONE);
  }
}
