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
 * Encodes prompts, and refuses those longer than the model's context before they reach the
 * tokenizer, which needs hundreds of bytes of memory per byte of text.
 */
public final class PromptEncoder {
  /** Texts of at least this many characters are encoded one at a time. */
  private static final int LONG = 1 << 18;

  /** Upper bound of characters per token in usual text. */
  private static final int MANY = 16;

  /**
   * Upper bound of bytes per token; long tokens are mostly blanks, the slowest input of tokenizers.
   */
  private static final int MOST = 32;

  private final Tokenizer tokenizer;
  private final int longest;
  private final @Nullable PictureTokens pictures;
  private final TurnCache turns;
  private final Semaphore alone = new Semaphore(1, true);
  private volatile int maxTokenBytes;

  /** Creates an encoder of prompts for {@code model}. */
  public PromptEncoder(ServedModel model) {
    tokenizer = model.tokenizer();
    longest = model.longest();
    pictures = model.pictures().tokens();
    turns = new TurnCache(tokenizer, model.stops());
  }

  /**
   * Encodes a rendered conversation and expands its image tokens for the pictures {@code shown}.
   *
   * @throws ApiException if the rendered template has no image tokens for them
   */
  int[] encode(String parameter, String text, List<Picture> shown) throws InterruptedException {
    if (pictures == null) {
      return encode(parameter, text, turns::encode);
    }
    int[] tokens = pieces(parameter, pictures.pieces(text), tokenizer::encode);
    try {
      return pictures.expand(tokens, shown);
    } catch (UserException e) {
      throw ApiException.invalid(parameter, e.getMessage());
    }
  }

  /** Encodes {@code text} as the beginning of an input; it yields no image tokens. */
  int[] encodeStart(String parameter, String text) throws InterruptedException {
    List<String> pieces =
        pictures == null ? List.of(text) : pictures.pieces(pictures.guarded(text));
    return pieces(parameter, pieces, tokenizer::encodePrompt);
  }

  /** Refuses an image token in a text completion. */
  void refusePicture(String parameter, int token) {
    if (pictures != null && token == pictures.imageToken()) {
      throw ApiException.wrong(
          parameter,
          "Invalid value for '%s': token %d is an image token; only /v1/chat/completions accepts pictures."
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

  /** A method of a tokenizer that encodes a text. */
  private interface Reading {
    int[] tokens(String text);
  }

  private int[] encode(String parameter, String text, Reading reading) throws InterruptedException {
    if (text.length() * 3L > longest) { // at most three bytes per character
      long bytes = bytes(text);
      if (bytes > longest && bytes > (long) longest * maxTokenBytes()) {
        throw ApiException.tooLong(parameter, bytes, longest, maxTokenBytes());
      }
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

  /** Refuses {@code text} if its beginning alone is far too long. */
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

  /** Returns the length of a text in UTF-8 bytes. */
  private static long bytes(String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      // a pair of surrogates has four bytes
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return bytes;
  }
}
