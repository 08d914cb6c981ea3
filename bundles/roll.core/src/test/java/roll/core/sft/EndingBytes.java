package roll.core.sft;

import java.nio.file.Path;
import java.util.List;
import roll.api.model.Tokenizer;
import roll.core.check.ByteTokenizer;

/** Bytes, where a turn's end is a stop token. */
record EndingBytes(ByteTokenizer bytes) implements Tokenizer {
  @Override
  public int[] encode(String text) {
    return bytes.encode(text);
  }

  @Override
  public int[] encodePrompt(String text) {
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
  public Path folder() {
    return bytes.folder();
  }

  @Override
  public int size() {
    return bytes.size();
  }

  @Override
  public List<Integer> stopTokens() {
    return List.of(bytes.id("<|im_end|>"));
  }

  @Override
  public void close() {}
}
