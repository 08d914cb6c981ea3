package roll.worker.environment;

import java.util.List;
import org.jspecify.annotations.NullMarked;
import roll.api.model.Tokenizer;

/** A tokenizer of nothing: the role only hands it on. */
@NullMarked
final class NoTokenizer implements Tokenizer {
  @Override
  public int[] encode(String text) {
    return new int[0];
  }

  @Override
  public int[] encodePrompt(String text) {
    return new int[0];
  }

  @Override
  public String decode(int[] tokens, boolean special) {
    return "";
  }

  @Override
  public int id(String text) {
    return -1;
  }

  @Override
  public java.nio.file.Path folder() {
    return java.nio.file.Path.of("");
  }

  @Override
  public int size() {
    return 0;
  }

  @Override
  public List<Integer> stopTokens() {
    return List.of();
  }

  @Override
  public void close() {}
}
