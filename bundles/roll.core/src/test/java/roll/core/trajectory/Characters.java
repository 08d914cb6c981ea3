package roll.core.trajectory;

import java.nio.file.Path;
import java.util.List;
import roll.api.model.Tokenizer;

/** A tokenizer whose tokens are the code points. */
record Characters(int size) implements Tokenizer {
  @Override
  public int[] encode(String text) {
    return text.codePoints().toArray();
  }

  @Override
  public int[] encodePrompt(String text) {
    return encode(text);
  }

  @Override
  public String decode(int[] tokens, boolean special) {
    return new String(tokens, 0, tokens.length);
  }

  @Override
  public int id(String text) {
    return text.codePointAt(0);
  }

  @Override
  public Path folder() {
    return Path.of("");
  }

  @Override
  public List<Integer> stopTokens() {
    return List.of();
  }

  @Override
  public void close() {}
}
