package roll.openai.answer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import roll.api.model.Tokenizer;
import roll.text.Detokenizer;

/**
 * The log-probs of one answer, as its tokens come. A token is told when the text it begins with is
 * sure; one behind a stop string, and the one that ends the answer, never.
 */
final class Scoring {
  private final Tokenizer tokenizer;
  private final Detokenizer text;
  private final Queue<ScoredToken> held = new ArrayDeque<>();
  private int offset;
  private boolean silent;

  Scoring(Tokenizer tokenizer) {
    this.tokenizer = tokenizer;
    text = new Detokenizer(tokenizer, false);
  }

  /** Takes a token. */
  void add(int token, double logProb) {
    int[] alone = {token};
    held.add(new ScoredToken(tokenizer.decode(alone, true), logProb, offset));
    silent = tokenizer.decode(alone, false).isEmpty();
    offset += text.add(token).length();
  }

  /** Those not told before whose text begins within the first {@code length} characters. */
  List<ScoredToken> sure(int length) {
    List<ScoredToken> sure = new ArrayList<>();
    while (!held.isEmpty() && held.element().offset() < length) {
      sure.add(held.remove());
    }
    return sure;
  }

  /**
   * The rest; to be asked once, at the end.
   *
   * @param stopped whether the model ended the answer: then its last token is not a text
   */
  List<ScoredToken> rest(int length, boolean stopped) {
    boolean ending = stopped && silent && !held.isEmpty();
    List<ScoredToken> rest = sure(length);
    return ending && held.isEmpty() && !rest.isEmpty() ? rest.subList(0, rest.size() - 1) : rest;
  }
}
