package roll.api.config;

import org.jspecify.annotations.Nullable;

/**
 * Settings for building the prompts of an environment.
 *
 * @param systemTemplate system message, or null for none
 * @param template user message of a turn, with placeholders in braces
 * @param historyLength number of earlier turns in a prompt that is rebuilt each turn
 * @param limit length limit of the first prompt
 * @param maxPictures maximum number of pictures per prompt; {@link Integer#MAX_VALUE} sets no limit
 */
public record PromptConfig(
    @Nullable String systemTemplate,
    String template,
    int historyLength,
    PromptLimit limit,
    int maxPictures) {
  /** Prompts with any number of pictures. */
  public PromptConfig(
      @Nullable String systemTemplate, String template, int historyLength, PromptLimit limit) {
    this(systemTemplate, template, historyLength, limit, Integer.MAX_VALUE);
  }

  /** Prompts without system message and limit, with the default five earlier turns. */
  public static PromptConfig of(String template) {
    return new PromptConfig(null, template, 5, PromptLimit.NONE);
  }
}
