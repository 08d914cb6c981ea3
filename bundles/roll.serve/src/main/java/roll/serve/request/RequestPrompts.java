package roll.serve.request;

import java.util.concurrent.Semaphore;
import roll.api.model.Tokenizer;
import roll.runtime.serving.ServedModel;

/**
 * Makes texts tokens, and refuses those that are longer than the model can read before the
 * tokenizer sees them: it takes hundreds of bytes of memory for each byte of text.
 */
public final class RequestPrompts {
  /** Texts of so many characters are encoded one after the other. */
  private static final int LONG = 1 << 18;

  /** No usual text has more characters a token. */
  private static final int MANY = 16;

  /** Nor so many bytes; blanks may have, and take tokenizers longest. */
  private static final int MOST = 32;

  private final Tokenizer tokenizer;
  private final int longest;
  private final Semaphore alone = new Semaphore(1, true);
  private volatile int longestToken;

  /** Prompts of {@code model}. */
  public RequestPrompts(ServedModel model) {
    tokenizer = model.tokenizer();
    longest = model.longest();
  }

  /** Tokens of {@code text} alone. */
  int[] encode(String parameter, String text) throws InterruptedException {
    return encode(parameter, text, tokenizer::encode);
  }

  /** Tokens of {@code text} as the start of an input. */
  int[] encodeStart(String parameter, String text) throws InterruptedException {
    return encode(parameter, text, tokenizer::encodePrompt);
  }

  /** How a tokenizer reads a text. */
  private interface Reading {
    int[] tokens(String text);
  }

  private int[] encode(String parameter, String text, Reading reading) throws InterruptedException {
    long bytes = bytes(text);
    if (bytes > longest && bytes > (long) longest * longestToken()) {
      throw ApiException.tooLong(parameter, bytes, longest, longestToken());
    }
    if (text.length() < LONG) {
      return reading.tokens(text);
    }
    alone.acquire();
    try {
      refuseByBeginning(parameter, text);
      return reading.tokens(text);
    } finally {
      alone.release();
    }
  }

  /** A text whose beginning is too long by far is too long. */
  private void refuseByBeginning(String parameter, String text) {
    long beginning = (long) longest * MANY;
    if (text.length() > beginning) {
      int end = (int) beginning;
      int tokens =
          tokenizer.encode(
                  text.substring(
                      0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end))
              .length;
      if (tokens / 2 > longest) {
        throw ApiException.tooLong(parameter, tokens, longest);
      }
    }
  }

  private int longestToken() {
    if (longestToken == 0) {
      longestToken = Math.min(MOST, tokenizer.longestToken());
    }
    return longestToken;
  }

  /** Length in UTF-8. */
  private static long bytes(String text) {
    return text.codePoints()
        .mapToLong(c -> c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4)
        .sum();
  }
}
