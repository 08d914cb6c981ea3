package roll.testkit;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.model.Tokenizer;

/** A tokenizer with a token for each byte of UTF-8 and an end token. */
public final class Utf8Tokenizer implements Tokenizer {
  /** The end token of the UTF-8 tokenizer. */
  public static final int END = 256;

  private final String refused;
  private final String problem;
  private final List<String> encoded = Collections.synchronizedList(new ArrayList<>());

  /** Creates a tokenizer that encodes any text. */
  public Utf8Tokenizer() {
    this("", "");
  }

  /** Creates a tokenizer that refuses texts with {@code refused} because of {@code problem}. */
  public Utf8Tokenizer(String refused, String problem) {
    this.refused = refused;
    this.problem = problem;
  }

  /** Returns all encoded texts in order. */
  public List<String> encoded() {
    return List.copyOf(encoded);
  }

  @Override
  public @Nullable String refusal(String text) {
    return !refused.isEmpty() && text.contains(refused) ? problem : null;
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
  public byte @Nullable [] bytes(int token) {
    return token == END ? null : new byte[] {(byte) token};
  }

  @Override
  public int id(String text) {
    return text.equals("<end>") ? END : -1;
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
