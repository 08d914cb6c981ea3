package roll.runtime.option;

import java.util.List;

/**
 * Secrets in text that is shown: logs, messages, conversations. They are recognized by the names
 * before them, as in {@code Authorization: Bearer …}, {@code ?api_key=…}, {@code "api_key": "…"}
 * and {@code --token …}, or by their position, as in {@code https://user:…@host}. If the end of a
 * secret is ambiguous, more is hidden. Takes time in proportion to the length of the text.
 */
public final class SecretRedactor {
  private static final String HIDDEN = "…";

  private SecretRedactor() {}

  /**
   * A part of a text that is to be hidden.
   *
   * @param from its first character
   * @param to behind its last
   */
  public record Span(int from, int to) {}

  /** Returns {@code text} with {@code …} in the place of secrets. */
  public static String hidden(String text) {
    return replaced(text, new SecretScan(text, true).spans());
  }

  /**
   * Hides secrets in texts of a model or environment, in which {@code password: blue} may be no
   * secret.
   */
  public static String hiddenInSpeech(String text) {
    return replaced(text, inSpeech(text));
  }

  /**
   * Returns the spans of secrets in a text of a model or an environment, in order, without overlap.
   */
  public static List<Span> inSpeech(String text) {
    return new SecretScan(text, false).spans();
  }

  private static String replaced(String text, List<Span> spans) {
    if (spans.isEmpty()) {
      return text;
    }
    StringBuilder shown = new StringBuilder(text.length());
    int done = 0;
    for (Span span : spans) {
      shown.append(text, done, span.from()).append(HIDDEN);
      done = span.to();
    }
    return shown.append(text, done, text.length()).toString();
  }
}
