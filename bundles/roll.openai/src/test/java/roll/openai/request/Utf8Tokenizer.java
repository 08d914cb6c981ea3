package roll.openai.request;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.model.Tokenizer;

/** A token for each byte, and one that ends a text; it refuses texts with a tab. */
final class Utf8Tokenizer implements Tokenizer {
  static final int END = 256;

  @Override
  public @Nullable String refusal(String text) {
    return text.indexOf('\t') < 0 ? null : "a tab";
  }

  @Override
  public int[] encode(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int[] tokens = new int[bytes.length];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = bytes[i] & 0xFF;
    }
    return tokens;
  }

  @Override
  public int[] encodePrompt(String text) {
    return encode(text);
  }

  @Override
  public String decode(int[] tokens, boolean special) {
    byte[] bytes = new byte[tokens.length];
    for (int i = 0; i < tokens.length; i++) {
      bytes[i] = (byte) tokens[i];
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public int id(String text) {
    return -1;
  }

  @Override
  public Path folder() {
    return Path.of("models/utf8");
  }

  @Override
  public int size() {
    return END + 1;
  }

  @Override
  public List<Integer> stopTokens() {
    return List.of(END);
  }

  @Override
  public void close() {}
}
