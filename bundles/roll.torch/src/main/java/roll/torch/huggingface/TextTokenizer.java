package roll.torch.huggingface;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;

/** A tokenizer of the Hugging Face library. Owns it. */
final class TextTokenizer implements Tokenizer {
  private final Path folder;
  private final HuggingFaceTokenizer tokenizer;
  private final Vocabulary vocabulary;
  private final List<Integer> stopTokens;

  TextTokenizer(
      Path folder,
      HuggingFaceTokenizer tokenizer,
      Vocabulary vocabulary,
      List<Integer> stopTokens) {
    this.folder = folder;
    this.tokenizer = tokenizer;
    this.vocabulary = vocabulary;
    this.stopTokens = stopTokens;
  }

  @Override
  public int[] encode(String text) {
    return encode(text, false);
  }

  @Override
  public int[] encodePrompt(String text) {
    return encode(text, true);
  }

  private int[] encode(String text, boolean addSpecial) {
    long[] ids;
    try {
      ids = tokenizer.encode(text, addSpecial, false).getIds();
    } catch (RuntimeException e) { // a vocabulary that lacks what it names for unknown words, say
      String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new UserException(folder.resolve("tokenizer.json") + ": cannot encode: " + reason, e);
    }
    return Arrays.stream(ids).mapToInt(Math::toIntExact).toArray();
  }

  @Override
  public String decode(int[] tokens, boolean special) {
    return tokenizer.decode(Arrays.stream(tokens).asLongStream().toArray(), !special);
  }

  @Override
  public int id(String text) {
    return vocabulary.id(text);
  }

  @Override
  public Path folder() {
    return folder;
  }

  @Override
  public int size() {
    return vocabulary.size();
  }

  @Override
  public int longestToken() {
    return vocabulary.longest();
  }

  @Override
  public List<Integer> stopTokens() {
    return stopTokens;
  }

  @Override
  public void close() {
    tokenizer.close();
  }
}
