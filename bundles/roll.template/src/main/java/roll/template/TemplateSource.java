package roll.template;

import roll.api.option.UserException;
import roll.template.jinja.Template;
import roll.template.jinja.value.TemplateException;

/**
 * The text of a chat template with its location.
 *
 * @param where its place, for messages
 * @param text as it is written
 * @param template read
 */
record TemplateSource(String where, String text, Template template) {
  /**
   * Parses the chat template {@code text}.
   *
   * @throws UserException with its line if it is not written correctly
   */
  static TemplateSource of(String where, String text) {
    try {
      return new TemplateSource(where, text, Template.parse(text));
    } catch (TemplateException e) {
      throw failure(where, e);
    }
  }

  /** Returns the message for {@code failure}, in one line. */
  static UserException failure(String where, TemplateException failure) {
    String message = failure.getMessage().strip().replaceAll("(?<!\\s)\\s*\\R\\s*", " ");
    String line = failure.line() > 0 ? ", line " + failure.line() : "";
    String refusal = failure.raised() ? "the template refuses the conversation: " : "";
    return new UserException(where + line + ": " + refusal + message, failure);
  }
}
