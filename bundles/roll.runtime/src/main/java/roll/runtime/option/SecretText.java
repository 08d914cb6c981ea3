package roll.runtime.option;

import java.util.List;

/**
 * Secrets in text that is shown: logs, messages, what was said. They are known by the names before
 * them, as in {@code Authorization: Bearer …}, {@code ?api_key=…}, {@code "api_key": "…"} and
 * {@code --token …}, or by where they are, as in {@code https://user:…@host}. Where it is not clear
 * where one ends, more is hidden. Takes time in proportion to the length of the text.
 */
public final class SecretText {
  private static final String HIDDEN = "…";

  private SecretText() {}

  /**
   * A part of a text.
   *
   * @param from its first character
   * @param to behind its last
   */
  public record Span(int from, int to) {}

  /** {@code text} with {@code …} in the place of secrets. */
  public static String hidden(String text) {
    return replaced(text, new SecretScan(text, true).spans());
  }

  /** The same for what a model or a world said, where {@code password: blue} may be no secret. */
  public static String hiddenInSpeech(String text) {
    return replaced(text, inSpeech(text));
  }

  /** Where secrets are in what a model or a world said, in order, apart from one another. */
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
