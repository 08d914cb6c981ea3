package roll.runtime.worker;

import roll.api.model.Tokenizer;

/** Comparison of two tokenizers. */
public final class TokenizerComparison {
  private TokenizerComparison() {}

  /**
   * Returns the first token of {@code policy} that is not the same in {@code other}, or −1.
   *
   * @param other may have further tokens
   */
  public static int difference(Tokenizer policy, Tokenizer other) {
    if (policy.folder().equals(other.folder())) {
      return -1;
    }
    for (int id = 0; id < policy.size(); id++) {
      int[] token = {id};
      if (id >= other.size() || !other.decode(token, true).equals(policy.decode(token, true))) {
        return id;
      }
    }
    return -1;
  }
}
