package roll.core.check;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

@NullMarked
class ByteTokenizerTest {
  private final ByteTokenizer tokenizer = new ByteTokenizer();

  @Test
  void aByteIsATokenAndSoIsEachSpecialToken() {
    assertArrayEquals(
        new int[] {256, 'a', '\n', 0xC3, 0xBC, 257, 257, 0xF0, 0x9F, 0x90, 0xA7},
        tokenizer.encode("<|im_start|>a\nü<|im_end|><|im_end|>🐧"));
    assertArrayEquals(new int[0], tokenizer.encode(""));
    assertEquals(257, tokenizer.id("<|im_end|>"));
    assertEquals('x', tokenizer.id("x"));
    assertEquals(-1, tokenizer.id("ü"));
    assertEquals(258, tokenizer.size());
  }

  @Test
  void textComesBackAsItWas() {
    for (String text :
        List.of("", "plain", "√ 🐧 ü\t\n", "<|im_start|>user\n<|im_end|>", "<|im_")) {
      assertEquals(text, tokenizer.decode(tokenizer.encode(text), true));
    }
    assertEquals("ab", tokenizer.decode(tokenizer.encode("<|im_start|>a<|im_end|>b"), false));
  }
}
