package roll.huggingface;

import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The main class of a {@link TokenizerTrial}'s process: reads the tokenizer from standard input,
 * encodes texts of all kinds and decodes every token. Depends only on the JDK and the library's
 * class.
 */
final class TrialProcess {
  /** Number of Unicode characters that are tried one by one. */
  private static final int CHARACTERS = 0x3100;

  private TrialProcess() {}

  /** Arguments: the native library, and the number of tokens. */
  @SuppressWarnings("restricted") // loads the native library
  public static void main(String[] args) throws IOException {
    System.load(args[0]);
    int tokens = Integer.parseInt(args[1]);
    TokenizersLibrary library = TokenizersLibrary.LIB;
    String json = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    long tokenizer = library.createTokenizerFromString(json);
    StringBuilder all = new StringBuilder();
    for (int character = 1; character < CHARACTERS; character++) {
      all.appendCodePoint(character);
    }
    all.append("中文字\uac00\ufb01\ufdfa\ufe0f\uff21\ud83d\ude00\ud83e\udd9c\ud835\udc00\udb40\udc01");
    encode(library, tokenizer, "");
    encode(library, tokenizer, " ");
    encode(library, tokenizer, all.toString());
    all.codePoints().forEach(c -> encode(library, tokenizer, Character.toString(c)));
    for (int id = 0; id < tokens; id++) {
      String text = decode(library, tokenizer, id);
      if (id < CHARACTERS) {
        encode(library, tokenizer, text);
        encode(library, tokenizer, " " + text + text + " a" + text);
        decode(library, tokenizer, id, id, 0, id);
      }
    }
    library.deleteTokenizer(tokenizer);
  }

  private static void encode(TokenizersLibrary library, long tokenizer, String text) {
    try {
      long encoding = library.encode(tokenizer, text, true);
      library.getTokenIds(encoding);
      library.deleteEncoding(encoding);
    } catch (RuntimeException refused) {
      // a text that cannot be encoded is no failure
    }
  }

  private static String decode(TokenizersLibrary library, long tokenizer, long... ids) {
    try {
      return library.decode(tokenizer, ids, false);
    } catch (RuntimeException refused) {
      return "";
    }
  }
}
