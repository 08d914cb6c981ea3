package roll.testkit;

import java.nio.file.Path;
import java.util.List;
import roll.api.model.Tokenizer;

/** A tokenizer with a token per code point and no special tokens, for tests to extend. */
public class CharacterTokenizer implements Tokenizer {
  private final int size;

  /** Creates a tokenizer of all code points. */
  public CharacterTokenizer() {
    this(Character.MAX_CODE_POINT + 1);
  }

  /** Creates a tokenizer that reports {@code size} tokens. */
  public CharacterTokenizer(int size) {
    this.size = size;
  }

  @Override
  public int[] encode(String text) {
    return text.codePoints().toArray();
  }

  @Override
  public final int[] encodePrompt(String text) {
    return encode(text);
  }

  @Override
  public String decode(int[] tokens, boolean special) {
    return new String(tokens, 0, tokens.length);
  }

  @Override
  public int id(String text) {
    return text.codePointCount(0, text.length()) == 1 ? text.codePointAt(0) : -1;
  }

  @Override
  public Path folder() {
    return Path.of("");
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public List<Integer> stopTokens() {
    return List.of();
  }

  @Override
  public void close() {}
}
