package roll.core.trajectory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import roll.api.model.Tokenizer;

class TokenTextsTest {
  /** A tokenizer whose tokens are bytes, and which drops a space at the beginning. */
  private record Bytes() implements Tokenizer {
    @Override
    public int[] encode(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      int[] tokens = new int[bytes.length];
      for (int i = 0; i < bytes.length; i++) {
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
      return new String(bytes, StandardCharsets.UTF_8).replaceFirst("^ ", "");
    }

    @Override
    public int id(String text) {
      return -1;
    }

    @Override
    public Path folder() {
      return Path.of("");
    }

    @Override
    public int size() {
      return 256;
    }

    @Override
    public List<Integer> stopTokens() {
      return List.of();
    }

    @Override
    public void close() {}
  }

  @Test
  void tokensThatStandForThemselves() {
    assertEquals(
        List.of("U", "p", "\uD83E\uDDCA"),
        new TokenTexts(new Characters(10)).of(new int[] {85, 112, 0x1F9CA}));
  }

  /** Parts of a character and a space that only counts behind something. */
  @Test
  void tokensThatNeedTheirNeighbours() {
    Bytes bytes = new Bytes();
    assertEquals(List.of("a", " ", "", "é"), new TokenTexts(bytes).of(bytes.encode("a é")));
    assertEquals(
        List.of("a", "", "\uFFFD"),
        new TokenTexts(bytes).of(new int[] {'a', 0xE2, 0x82}),
        "cut within a character");
    assertEquals(List.of(), new TokenTexts(bytes).of(new int[0]));
  }
}
