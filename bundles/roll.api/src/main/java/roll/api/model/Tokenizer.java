package roll.api.model;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Text to token ids and back. Called from any thread. A text that {@link #refusal} is not null for
 * cannot be encoded: that is a {@link roll.api.option.UserException}.
 */
@ProviderType
public interface Tokenizer extends AutoCloseable {
  /** Token ids of {@code text}; special tokens written in it are recognized, none are added. */
  int[] encode(String text);

  /**
   * Token ids of {@code text} as the start of an input: with the special tokens, such as a
   * beginning of sequence, that the model folder asks for.
   */
  int[] encodePrompt(String text);

  /** Why {@code text} cannot be encoded, in a few words, or null: it is too long, for example. */
  default @Nullable String refusal(String text) {
    return null;
  }

  /** Text of {@code tokens}, special tokens written out if {@code special}, otherwise left out. */
  String decode(int[] tokens, boolean special);

  /** Id of the token written {@code text}, or −1. */
  int id(String text);

  /** The model folder that it was read from. */
  Path folder();

  /** Number of tokens, added ones included. */
  int size();

  /**
   * Most bytes of UTF-8 that one token stands for, or more; a text of so many bytes times a number
   * has at least that number of tokens.
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
   * Tokens that end a response: the end-of-sequence tokens of the model folder, and its padding
   * tokens where these are special, not words.
   */
  List<Integer> stopTokens();

  @Override
  void close();
}
