package roll.strategy.vllm.speculation;

import java.util.Arrays;

/**
 * Proposes the tokens that followed the last occurrence of a text's last tokens, for responses that
 * quote their prompt or repeat themselves.
 *
 * @param tokens maximum number of proposed tokens
 * @param longest maximum number of last tokens that are looked up
 * @param shortest minimum number of them
 */
public record NgramProposer(int tokens, int longest, int shortest) {
  /**
   * Returns the tokens that may follow the first {@code length} of {@code text}: those behind the
   * longest match and, among equally long ones, the last. Where they reach the end of the text they
   * repeat. Negative numbers, placeholders of pictures, end a proposal.
   *
   * @param most maximum number
   */
  public int[] propose(int[] text, int length, int most) {
    int end = match(text, length);
    int[] proposed = new int[end == 0 ? 0 : Math.min(most, tokens)];
    for (int i = 0; i < proposed.length; i++) {
      int at = end + i;
      proposed[i] = at < length ? text[at] : proposed[at - length];
      if (proposed[i] < 0) {
        return Arrays.copyOf(proposed, i);
      }
    }
    return proposed;
  }

  /** Returns the end of the best earlier occurrence of the last tokens; 0 if there is none. */
  private int match(int[] text, int length) {
    int best = 0;
    int found = shortest - 1;
    for (int end = length - 1; end > found && found < longest; end--) {
      int same = 0;
      int most = Math.min(longest, end);
      while (same < most && text[end - 1 - same] == text[length - 1 - same]) {
        same++;
      }
      if (same > found) {
        best = end;
        found = same;
      }
    }
    return best;
  }
}
