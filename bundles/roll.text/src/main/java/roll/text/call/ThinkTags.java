package roll.text.call;

import java.util.Arrays;
import roll.api.model.Tokenizer;

/** The think tags around a model's thoughts, {@code <think>} and {@code </think>}. */
public final class ThinkTags {
  /** The start tag of a thought. */
  public static final String OPEN = "<think>";

  /** The end tag of a thought. */
  public static final String CLOSE = "</think>";

  /** Upper bound of the tokens of a start tag and the white space after it. */
  private static final int TAIL = 16;

  private ThinkTags() {}

  /** Returns whether {@code prompt} ends with an open think tag, as some templates write it. */
  public static boolean open(Tokenizer tokenizer, int[] prompt) {
    int from = Math.max(0, prompt.length - TAIL);
    return tokenizer
        .decode(Arrays.copyOfRange(prompt, from, prompt.length), true)
        .stripTrailing()
        .endsWith(OPEN);
  }

  /**
   * Returns the end of the thought at the beginning of {@code text}; 0 if there is none or it is
   * not closed.
   */
  public static int end(String text) {
    int close = text.stripLeading().startsWith(OPEN) ? text.indexOf(CLOSE) : -1;
    return close < 0 ? 0 : close + CLOSE.length();
  }

  /** Returns {@code text} after its last end tag; all of it without one. */
  public static String after(String text) {
    int close = text.lastIndexOf(CLOSE);
    return close < 0 ? text : text.substring(close + CLOSE.length());
  }

  /**
   * Returns {@code text} with both tags around the thought at its beginning. The prompt may have
   * written the start tag, and a response may end before the end tag.
   */
  public static String closed(String text) {
    boolean begun = text.startsWith(OPEN);
    boolean ended = text.contains(CLOSE);
    return begun == ended ? text : begun ? text + CLOSE : OPEN + text;
  }

  /** Returns {@code thought} between its tags. */
  public static String around(String thought) {
    return OPEN + thought + CLOSE;
  }
}
