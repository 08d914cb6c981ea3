package roll.shell;

import java.nio.file.Path;
import java.util.List;
import roll.api.model.Tokenizer;

/** A tokenizer of one token per character; {@code ]} is a special token, 0 ends a response. */
public final class Characters implements Tokenizer {
  public static final int END = 7;

  @Override
  public int[] encode(String text) {
    return text.chars().toArray();
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
    return text.equals("]") ? END : -1;
  }

  @Override
  public Path folder() {
    return Path.of("characters");
  }

  @Override
  public int size() {
    return Character.MAX_CODE_POINT;
  }

  @Override
  public List<Integer> stopTokens() {
    return List.of(0);
  }

  @Override
  public void close() {}
}
