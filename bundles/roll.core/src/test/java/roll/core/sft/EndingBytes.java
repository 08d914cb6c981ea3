package roll.core.sft;

import java.util.List;
import roll.core.check.ByteTokenizer;
import roll.testkit.CharacterTokenizer;

/** Bytes, where a turn's end is a stop token. */
final class EndingBytes extends CharacterTokenizer {
  private final ByteTokenizer bytes = new ByteTokenizer();

  @Override
  public int[] encode(String text) {
    return bytes.encode(text);
  }

  @Override
  public String decode(int[] tokens, boolean special) {
    return bytes.decode(tokens, special);
  }

  @Override
  public int id(String text) {
    return bytes.id(text);
  }

  @Override
  public int size() {
    return bytes.size();
  }

  @Override
  public List<Integer> stopTokens() {
    return List.of(bytes.id("<|im_end|>"));
  }
}
