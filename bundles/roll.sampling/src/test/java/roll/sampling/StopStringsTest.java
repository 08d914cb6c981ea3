package roll.sampling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import roll.testkit.CharacterTokenizer;

/** With a tokenizer of one token a byte or two, where a character may be several tokens. */
final class StopStringsTest {
  /** After how many bytes of {@code text} a stop string is complete; −1 if none ever is. */
  private static int end(String text, String... stops) {
    StopStrings watch = new StopStrings(List.of(stops), new Bytes());
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      if (watch.completedBy(bytes[i] & 255)) {
        return i + 1;
      }
    }
    return -1;
  }

  @Test
  void theTokenThatCompletesAStopStringIsFound() {
    assertEquals(10, end("I say stop!", "stop"));
    assertEquals(3, end("aab", "ab"));
    assertEquals(-1, end("I say st", "stop"));
    assertEquals(4, end("s stop", "stop", "st"));
    assertEquals(1, end("x", "x"));
  }

  @Test
  void charactersOfSeveralTokens() {
    assertEquals(5, end("naïf", "ïf"));
    assertEquals(7, end("😀 é!", "é"));
    // a token that ends within a character, the stop string before it
    StopStrings watch = new StopStrings(List.of("ab"), new Bytes());
    assertFalse(watch.completedBy('a'));
    assertTrue(watch.completedBy(('b' << 8) | 0xC3));
  }

  @Test
  void whatWasFoundOnceIsNotFoundAgain() {
    StopStrings watch = new StopStrings(List.of("a", "bcd"), new Bytes());
    assertTrue(watch.completedBy('a'));
    assertFalse(watch.completedBy('x'));
    assertTrue(watch.completedBy('a'));
  }

  private static final class Bytes extends CharacterTokenizer {
    @Override
    public int[] encode(String text) {
      throw new IllegalStateException("nothing is encoded");
    }

    @Override
    public String decode(int[] tokens, boolean special) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (int token : tokens) {
        if (token > 255) {
          bytes.write(token >> 8);
        }
        bytes.write(token);
      }
      return bytes.toString(StandardCharsets.UTF_8);
    }
  }
}
