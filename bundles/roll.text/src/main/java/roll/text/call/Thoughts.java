package roll.text.call;

import java.util.Arrays;
import roll.api.model.Tokenizer;

/** Thoughts of a model, from {@code <think>} to {@code </think>}. */
public final class Thoughts {
  /** Before a thought. */
  public static final String OPEN = "<think>";

  /** Behind a thought. */
  public static final String CLOSE = "</think>";

  /** More than the tokens of the mark and of the white space behind it. */
  private static final int TAIL = 16;

  private Thoughts() {}

  /** Whether {@code prompt} ends with the beginning of a thought, as some templates write it. */
  public static boolean open(Tokenizer tokenizer, int[] prompt) {
    int from = Math.max(0, prompt.length - TAIL);
    return tokenizer
        .decode(Arrays.copyOfRange(prompt, from, prompt.length), true)
        .stripTrailing()
        .endsWith(OPEN);
  }

  /** Where the thought ends that {@code text} begins with; 0 without one, or where it goes on. */
  public static int end(String text) {
    int close = text.stripLeading().startsWith(OPEN) ? text.indexOf(CLOSE) : -1;
    return close < 0 ? 0 : close + CLOSE.length();
  }
}
