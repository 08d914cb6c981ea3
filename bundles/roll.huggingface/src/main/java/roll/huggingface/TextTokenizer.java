package roll.huggingface;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;

/** A tokenizer of the Hugging Face library, which it owns. */
final class TextTokenizer implements Tokenizer {
  /** Maximum characters of a text, some gigabytes in the native library. */
  private static final int LONGEST = 1 << 23;

  private final Path folder;
  private final HuggingFaceTokenizer tokenizer;
  private final Vocabulary vocabulary;
  private final TokenizerParts parts;
  private final List<Integer> stopTokens;
  private final int size;
  private volatile @Nullable TokenBytes bytes;

  TextTokenizer(
      Path folder,
      HuggingFaceTokenizer tokenizer,
      Vocabulary vocabulary,
      TokenizerParts parts,
      List<Integer> stopTokens) {
    this.folder = folder;
    this.tokenizer = tokenizer;
    this.vocabulary = vocabulary;
    this.parts = parts;
    this.stopTokens = stopTokens;
    size = vocabulary.size(); // scans all tokens
  }

  @Override
  public int[] encode(String text) {
    return encode(text, false);
  }

  @Override
  public int[] encodePrompt(String text) {
    return encode(text, true);
  }

  @Override
  public @Nullable String refusal(String text) {
    return parts.refusal(text, LONGEST);
  }

  /** Encodes a text to ids only: the library aborts the process if the heap is full. */
  private int[] encode(String text, boolean addSpecial) {
    String refusal = refusal(text);
    if (refusal != null) {
      throw new UserException(line("refuses a text: " + refusal));
    }
    long[] ids;
    try {
      long encoding = TokenizersLibrary.LIB.encode(tokenizer.getHandle(), text, addSpecial);
      try {
        ids = TokenizersLibrary.LIB.getTokenIds(encoding);
      } finally {
        TokenizersLibrary.LIB.deleteEncoding(encoding);
      }
    } catch (RuntimeException e) { // for example, a vocabulary without its unknown token
      String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new UserException(line("cannot encode: " + reason), e);
    }
    return Arrays.stream(ids).mapToInt(this::known).toArray();
  }

  private int known(long id) {
    if (id < 0 || id >= size) {
      throw new UserException(line("cannot encode: it has no token " + id));
    }
    return (int) id;
  }

  private String line(String reason) {
    return folder.resolve("tokenizer.json") + ": " + reason;
  }

  @Override
  public String decode(int[] tokens, boolean special) {
    return tokenizer.decode(Arrays.stream(tokens).asLongStream().toArray(), !special);
  }

  @Override
  public byte @Nullable [] bytes(int token) {
    TokenBytes read = bytes;
    if (read == null) {
      read = new TokenBytes(vocabulary);
      bytes = read;
    }
    return read.of(token);
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
    return size;
  }

  @Override
  public int maxTokenBytes() {
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
