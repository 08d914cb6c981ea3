package roll.core.trajectory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import roll.testkit.CharacterTokenizer;

class TokenTextsTest {
  /** A tokenizer whose tokens are bytes, and which drops a space at the beginning. */
  private static final class Bytes extends CharacterTokenizer {
    @Override
    public int[] encode(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return IntStream.range(0, bytes.length).map(i -> bytes[i] & 0xFF).toArray();
    }

    @Override
    public String decode(int[] tokens, boolean special) {
      byte[] bytes = new byte[tokens.length];
      for (int i = 0; i < tokens.length; i++) {
        bytes[i] = (byte) tokens[i];
      }
      return new String(bytes, StandardCharsets.UTF_8).replaceFirst("^ ", "");
    }
  }

  @Test
  void tokensThatStandForThemselves() {
    assertEquals(
        List.of("U", "p", "\uD83E\uDDCA"),
        new TokenTexts(new CharacterTokenizer(10)).of(new int[] {85, 112, 0x1F9CA}));
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
