package roll.core.check;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The tokenizer of rollouts without a model: one token per UTF-8 byte, followed by the two special
 * tokens of ChatML. Encoding is lossless.
 */
public final class ByteTokenizer implements roll.api.model.Tokenizer {
  /** The chat format whose special tokens the tokenizer has. */
  public static final String FORMAT = "chatml";

  private static final int BYTES = 256;
  private static final List<String> SPECIALS = List.of("<|im_start|>", "<|im_end|>");

  @Override
  public int[] encode(String text) {
    int[] tokens = new int[text.length() * 3];
    int length = 0;
    int from = 0;
    while (from < text.length()) {
      int special = special(text, from);
      int to = special < 0 ? text.length() : text.indexOf(SPECIALS.get(special), from);
      for (byte piece : text.substring(from, to).getBytes(StandardCharsets.UTF_8)) {
        tokens[length++] = Byte.toUnsignedInt(piece);
      }
      from = to;
      if (special >= 0) {
        tokens[length++] = BYTES + special;
        from += SPECIALS.get(special).length();
      }
    }
    return Arrays.copyOf(tokens, length);
  }

  /** Returns the id of the special token that {@code text} begins with at an index, or −1. */
  private static int special(String text, int from) {
    int next = -1;
    int first = text.length();
    for (int i = 0; i < SPECIALS.size(); i++) {
      int at = text.indexOf(SPECIALS.get(i), from);
      if (at >= 0 && at < first) {
        first = at;
        next = i;
      }
    }
    return next;
  }

  /** Creates the tokenizer, which has no state. */
  public ByteTokenizer() {}

  @Override
  public int[] encodePrompt(String text) {
    return encode(text);
  }

  @Override
  public String decode(int[] tokens, boolean special) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int token : tokens) {
      if (token < BYTES) {
        bytes.write(token);
      } else if (special) {
        bytes.writeBytes(SPECIALS.get(token - BYTES).getBytes(StandardCharsets.UTF_8));
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Override
  public int id(String text) {
    int special = SPECIALS.indexOf(text);
    if (special >= 0) {
      return BYTES + special;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return bytes.length == 1 ? Byte.toUnsignedInt(bytes[0]) : -1;
  }

  /** Returns an empty path, since the tokenizer has no model folder. */
  @Override
  public Path folder() {
    return Path.of("");
  }

  @Override
  public int size() {
    return BYTES + SPECIALS.size();
  }

  @Override
  public List<Integer> stopTokens() {
    return List.of();
  }

  @Override
  public void close() {}
}
