package roll.core.trajectory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import roll.api.model.Tokenizer;
import roll.text.Detokenizer;

/**
 * The text of each token of a sequence, special tokens written out: together they are the text of
 * the whole. A token that is a part of a character is empty; the one that completes it has it.
 */
public final class TokenTexts {
  private final Tokenizer tokenizer;
  private final Map<Integer, String> alone = new HashMap<>();

  /** Creates the token texts of {@code tokenizer}; used by one thread. */
  public TokenTexts(Tokenizer tokenizer) {
    this.tokenizer = tokenizer;
  }

  /** Returns the text of each token of a sequence. */
  public List<String> of(int[] tokens) {
    List<String> texts = new ArrayList<>(tokens.length);
    for (int token : tokens) {
      texts.add(alone.computeIfAbsent(token, id -> tokenizer.decode(new int[] {id}, true)));
    }
    // most vocabularies: what a token says does not depend on its neighbors
    return String.join("", texts).equals(tokenizer.decode(tokens, true)) ? texts : inOrder(tokens);
  }

  private List<String> inOrder(int[] tokens) {
    Detokenizer detokenizer = new Detokenizer(tokenizer, true);
    List<String> texts = new ArrayList<>(tokens.length);
    for (int token : tokens) {
      texts.add(detokenizer.add(token));
    }
    if (!texts.isEmpty()) {
      texts.addLast(texts.removeLast() + detokenizer.rest());
    }
    return texts;
  }
}
