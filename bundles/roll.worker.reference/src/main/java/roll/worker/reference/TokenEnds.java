package roll.worker.reference;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import roll.api.model.Tokenizer;

/**
 * A text with the places at which its tokens end.
 *
 * @param text of the tokens, special ones included
 * @param ends for each token the number of UTF-8 bytes up to its end
 */
record TokenEnds(String text, int[] ends) {
  static TokenEnds of(Tokenizer tokenizer, int[] tokens) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int[] ends = new int[tokens.length];
    for (int t = 0; t < tokens.length; t++) {
      byte[] own = tokenizer.bytes(tokens[t]);
      bytes.writeBytes(
          own == null
              ? tokenizer.decode(new int[] {tokens[t]}, true).getBytes(StandardCharsets.UTF_8)
              : own);
      ends[t] = bytes.size();
    }
    return new TokenEnds(bytes.toString(StandardCharsets.UTF_8), ends);
  }

  /** Number of bytes before token {@code t}. */
  int start(int t) {
    return t == 0 ? 0 : ends[t - 1];
  }

  /** Number of bytes of all tokens. */
  int size() {
    return start(ends.length);
  }
}
