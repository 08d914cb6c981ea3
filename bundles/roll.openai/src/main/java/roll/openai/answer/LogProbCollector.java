package roll.openai.answer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import roll.api.model.Tokenizer;
import roll.text.Detokenizer;

/**
 * Collects the log-probs of one choice of a completion. A token is returned once its first
 * character is final; never one after a stop string, nor the stop token.
 */
final class LogProbCollector {
  private final Tokenizer tokenizer;
  private final Detokenizer text;
  private final Queue<ScoredToken> held = new ArrayDeque<>();
  private int offset;
  private boolean silent;

  LogProbCollector(Tokenizer tokenizer) {
    this.tokenizer = tokenizer;
    text = new Detokenizer(tokenizer, false);
  }

  /** Adds a token with its log-prob. */
  void add(int token, double logProb) {
    int[] alone = {token};
    held.add(new ScoredToken(tokenizer.decode(alone, true), logProb, offset));
    silent = tokenizer.decode(alone, false).isEmpty();
    offset += text.add(token).length();
  }

  /**
   * Returns the tokens not returned before whose text begins within the first {@code length}
   * characters.
   */
  List<ScoredToken> sure(int length) {
    List<ScoredToken> sure = new ArrayList<>();
    while (!held.isEmpty() && held.element().offset() < length) {
      sure.add(held.remove());
    }
    return sure;
  }

  /**
   * Returns the remaining tokens; called once, at the end.
   *
   * @param stopped whether the last token is a stop token, which is no text
   */
  List<ScoredToken> rest(int length, boolean stopped) {
    boolean ending = stopped && silent && !held.isEmpty();
    List<ScoredToken> rest = sure(length);
    return ending && held.isEmpty() && !rest.isEmpty() ? rest.subList(0, rest.size() - 1) : rest;
  }
}
