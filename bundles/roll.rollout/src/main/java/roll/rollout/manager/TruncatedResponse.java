package roll.rollout.manager;

import java.util.Arrays;
import roll.api.model.Tokenizer;
import roll.api.strategy.Generation;

/** Truncates responses to the tokens of a prefix of their text. */
final class TruncatedResponse {
  private TruncatedResponse() {}

  /** Returns the shortest prefix of {@code response} whose text has {@code length} characters. */
  static Generation of(Generation response, Tokenizer tokenizer, int length) {
    int least = 0;
    int most = response.tokens().length;
    while (least < most) {
      int middle = (least + most) / 2;
      int[] tokens = Arrays.copyOf(response.tokens(), middle);
      if (tokenizer.decode(tokens, false).length() >= length) {
        most = middle;
      } else {
        least = middle + 1;
      }
    }
    return new Generation(
        Arrays.copyOf(response.tokens(), most),
        Arrays.copyOf(response.logProbs(), most),
        Arrays.copyOf(response.samplingLogProbs(), most),
        true,
        Arrays.copyOf(response.weightVersions(), most));
  }
}
