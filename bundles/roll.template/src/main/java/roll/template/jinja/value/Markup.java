package roll.template.jinja.value;

/**
 * Text marked as safe HTML, the value of the filters {@code safe} and {@code escape}. Nothing is
 * escaped on output, but text added to it with {@code +} is, which templates can tell.
 *
 * @param text the text
 */
public record Markup(String text) {
  /**
   * {@code value} as it is if it is marked, otherwise its text with the characters of HTML
   * replaced.
   */
  public static Markup escape(Object value) {
    return value instanceof Markup marked
        ? marked
        : new Markup(
            Text.of(value)
                .replace("&", "&amp;")
                .replace(">", "&gt;")
                .replace("<", "&lt;")
                .replace("'", "&#39;")
                .replace("\"", "&#34;"));
  }

  @Override
  public String toString() {
    return text;
  }
}
