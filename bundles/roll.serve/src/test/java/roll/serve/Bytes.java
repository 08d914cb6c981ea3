package roll.serve;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.model.Tokenizer;

/** A token for each byte of UTF-8, and one that ends a text. */
final class Bytes implements Tokenizer {
  static final int END = 256;

  /** A text that is not encoded. */
  static final String REFUSED = "<refused>";

  private final List<String> encoded = Collections.synchronizedList(new ArrayList<>());

  /** The texts that were encoded. */
  List<String> encoded() {
    return List.copyOf(encoded);
  }

  @Override
  public @Nullable String refusal(String text) {
    return text.contains(REFUSED) ? "9 characters" : null;
  }

  @Override
  public int[] encode(String text) {
    encoded.add(text);
    List<Integer> tokens = new ArrayList<>();
    for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
      tokens.add(one & 0xFF);
    }
    return tokens.stream().mapToInt(Integer::intValue).toArray();
  }

  @Override
  public int[] encodePrompt(String text) {
    return encode(text);
  }

  @Override
  public String decode(int[] tokens, boolean special) {
    byte[] bytes = new byte[tokens.length];
    int count = 0;
    for (int token : tokens) {
      if (token != END) {
        bytes[count++] = (byte) token;
      }
    }
    String text = new String(bytes, 0, count, StandardCharsets.UTF_8);
    return special && count < tokens.length ? text + "<end>" : text;
  }

  @Override
  public int id(String text) {
    return text.equals("<end>") ? END : -1;
  }

  @Override
  public Path folder() {
    return Path.of("bytes");
  }

  @Override
  public int size() {
    return 257;
  }

  @Override
  public List<Integer> stopTokens() {
    return List.of(END);
  }

  @Override
  public void close() {}
}
