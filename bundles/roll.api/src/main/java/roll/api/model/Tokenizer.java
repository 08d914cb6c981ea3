package roll.api.model;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Converts between text and token ids of a model. Thread-safe. Encoding a text for which {@link
 * #refusal} is not null throws a {@link roll.api.option.UserException}.
 */
@ProviderType
public interface Tokenizer extends AutoCloseable {
  /** Encodes {@code text}; special tokens in it are recognized, none are added. */
  int[] encode(String text);

  /**
   * Encodes {@code text} as the start of an input: with the special tokens, such as BOS, that the
   * model folder specifies.
   */
  int[] encodePrompt(String text);

  /** A short reason why {@code text} cannot be encoded, for example its length, or null. */
  default @Nullable String refusal(String text) {
    return null;
  }

  /**
   * Decodes the token ids {@code tokens} into text.
   *
   * @param special whether special tokens are included
   */
  String decode(int[] tokens, boolean special);

  /**
   * The bytes of UTF-8 that {@code token} adds to a text, of which a character may need several
   * tokens; null if it is special or no token.
   */
  default byte @Nullable [] bytes(int token) {
    String text = decode(new int[] {token}, false);
    return text.isEmpty() || text.contains("\uFFFD") ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  /** Id of the token written {@code text}, or −1. */
  int id(String text);

  /** The model folder that the tokenizer was loaded from. */
  Path folder();

  /** Vocabulary size, including added tokens. */
  int size();

  /**
   * An upper bound of the UTF-8 bytes per token: a text of {@code n} times as many bytes has at
   * least {@code n} tokens.
   */
  default int maxTokenBytes() {
    int longest = 1;
    for (int id = 0; id < size(); id++) {
      String text = decode(new int[] {id}, true);
      longest = Math.max(longest, text.getBytes(StandardCharsets.UTF_8).length);
    }
    return longest;
  }

  /**
   * Tokens that end a response: the EOS tokens of the model folder, and its padding tokens if they
   * are special.
   */
  List<Integer> stopTokens();

  @Override
  void close();
}
