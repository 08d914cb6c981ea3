package roll.serve;

import java.util.ArrayList;
import java.util.List;
import roll.api.model.Detokenizer;
import roll.api.model.Tokenizer;
import roll.api.strategy.Generation;

/**
 * A token of an answer.
 *
 * @param text of it alone
 * @param logProb what the model gave it, at temperature 1
 * @param offset where its text begins in the answer
 */
record ScoredToken(String text, double logProb, int offset) {
  /**
   * The tokens of {@code response} whose text begins within the first {@code length} characters;
   * the one that ends it, which is no text, is not among them.
   */
  static List<ScoredToken> of(Tokenizer tokenizer, Generation response, int length) {
    Detokenizer text = new Detokenizer(tokenizer, false);
    List<ScoredToken> scored = new ArrayList<>();
    int offset = 0;
    for (int i = 0; i < response.tokens().length; i++) {
      int token = response.tokens()[i];
      boolean end = response.stopped() && i == response.tokens().length - 1;
      String alone = tokenizer.decode(new int[] {token}, true);
      if (offset < length && !(end && tokenizer.decode(new int[] {token}, false).isEmpty())) {
        scored.add(new ScoredToken(alone, response.logProbs()[i], offset));
      }
      offset += text.add(token).length();
    }
    return scored;
  }
}
