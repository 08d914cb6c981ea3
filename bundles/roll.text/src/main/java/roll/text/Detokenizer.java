package roll.text;

import java.util.Arrays;
import roll.api.model.Tokenizer;

/**
 * Converts streamed tokens to text incrementally. A token may be part of a character, and its text
 * may depend on the preceding token. The tokens since the last piece of text are therefore decoded
 * together with those of that piece, and text that ends within a character is held back.
 */
public final class Detokenizer {
  private static final String INCOMPLETE = "\uFFFD";

  private final Tokenizer tokenizer;
  private final boolean special;

  /** Tokens of the last completed piece, then those that are not text yet. */
  private int[] window = new int[8];

  private int size;

  /** Text of the last completed piece, decoded by itself. */
  private String known = "";

  private int knownSize;
  private String rest = "";

  /**
   * Creates a detokenizer.
   *
   * @param special whether special tokens are included
   */
  public Detokenizer(Tokenizer tokenizer, boolean special) {
    this.tokenizer = tokenizer;
    this.special = special;
  }

  /** Adds {@code token}; returns the text that it completes, which may be empty. */
  public String add(int token) {
    if (size == window.length) {
      window = Arrays.copyOf(window, 2 * size);
    }
    window[size++] = token;
    String text = tokenizer.decode(Arrays.copyOf(window, size), special);
    rest = text.substring(Math.min(known.length(), text.length()));
    if (rest.isEmpty() || rest.endsWith(INCOMPLETE)) {
      return "";
    }
    String piece = rest;
    size -= knownSize;
    System.arraycopy(window, knownSize, window, 0, size);
    known = tokenizer.decode(Arrays.copyOf(window, size), special);
    knownSize = size;
    rest = "";
    return piece;
  }

  /** Returns the text that is held back; an incomplete character is U+FFFD. */
  public String rest() {
    return rest;
  }
}
