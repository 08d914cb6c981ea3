package roll.openai.request;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.runtime.serving.ServedModel;
import roll.runtime.vision.PictureTokens;

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
  private final @Nullable PictureTokens pictures;
  private final Semaphore alone = new Semaphore(1, true);
  private volatile int maxTokenBytes;

  /** Prompts of {@code model}. */
  public RequestPrompts(ServedModel model) {
    tokenizer = model.tokenizer();
    longest = model.longest();
    pictures = model.pictures().tokens();
  }

  /**
   * Tokens of a rendered conversation, in which {@code shown} have their places.
   *
   * @throws ApiException if the template has no places for them
   */
  int[] encode(String parameter, String text, List<Picture> shown) throws InterruptedException {
    if (pictures == null) {
      return encode(parameter, text, tokenizer::encode);
    }
    int[] tokens = pieces(parameter, pictures.pieces(text), tokenizer::encode);
    try {
      return pictures.expand(tokens, shown);
    } catch (UserException e) {
      throw ApiException.invalid(parameter, e.getMessage());
    }
  }

  /** Tokens of {@code text} as the start of an input; nothing in it becomes a picture. */
  int[] encodeStart(String parameter, String text) throws InterruptedException {
    List<String> pieces =
        pictures == null ? List.of(text) : pictures.pieces(pictures.guarded(text));
    return pieces(parameter, pieces, tokenizer::encodePrompt);
  }

  /** Refuses a token that stands for a picture where there is none. */
  void refusePicture(String parameter, int token) {
    if (pictures != null && token == pictures.imageToken()) {
      throw ApiException.wrong(
          parameter,
          "Invalid value for '%s': token %d stands for a picture; /v1/chat/completions is shown pictures."
              .formatted(parameter, token));
    }
  }

  private int[] pieces(String parameter, List<String> pieces, Reading start)
      throws InterruptedException {
    if (pieces.size() > longest) {
      throw ApiException.tooLong(parameter, pieces.size(), longest);
    }
    List<int[]> parts = new ArrayList<>();
    for (String piece : pieces) {
      parts.add(encode(parameter, piece, parts.isEmpty() ? start : tokenizer::encode));
    }
    return parts.stream().flatMapToInt(Arrays::stream).toArray();
  }

  /** How a tokenizer reads a text. */
  private interface Reading {
    int[] tokens(String text);
  }

  private int[] encode(String parameter, String text, Reading reading) throws InterruptedException {
    long bytes = bytes(text);
    if (bytes > longest && bytes > (long) longest * maxTokenBytes()) {
      throw ApiException.tooLong(parameter, bytes, longest, maxTokenBytes());
    }
    String refusal = tokenizer.refusal(text);
    if (refusal != null) {
      throw ApiException.invalid(parameter, "the tokenizer refuses " + refusal);
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

  private int maxTokenBytes() {
    if (maxTokenBytes == 0) {
      maxTokenBytes = Math.min(MOST, tokenizer.maxTokenBytes());
    }
    return maxTokenBytes;
  }

  /** Length in UTF-8. */
  private static long bytes(String text) {
    return text.codePoints()
        .mapToLong(c -> c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4)
        .sum();
  }
}
