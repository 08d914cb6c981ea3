package roll.sampling.grammar;

import java.util.BitSet;

/**
 * The states of a grammar from which tokens complete a text: all of them if each byte is a token,
 * as usual; otherwise tokens are tried, within limits.
 */
final class LivingStates {
  /** Maximum tokens that are tried. */
  private static final long MOST_TRIED = 50_000_000;

  private final Grammar grammar;
  private final TokenTexts texts;
  private final BitSet stops;
  private final BitSet living = new BitSet();

  private LivingStates(Grammar grammar, TokenTexts texts, BitSet stops) {
    this.grammar = grammar;
    this.texts = texts;
    this.stops = stops;
  }

  /**
   * Returns states from which a text can be completed without {@code stops}: all such states,
   * unless there are too many tokens to try.
   */
  static BitSet of(Grammar grammar, TokenTexts texts, BitSet stops) {
    LivingStates states = new LivingStates(grammar, texts, stops);
    BitSet bytes = grammar.bytes();
    bytes.andNot(states.single());
    if (bytes.isEmpty()) {
      states.living.set(0, grammar.size());
    } else {
      states.tryTokens();
    }
    return states.living;
  }

  /** Returns the bytes that are tokens by themselves. */
  private BitSet single() {
    BitSet single = new BitSet();
    for (int token : texts.sorted()) {
      byte[] text = texts.of(token);
      if (text.length == 1 && !stops.get(token)) {
        single.set(text[0] & 0xFF);
      }
    }
    return single;
  }

  /** Adds accepting states, and those with a token that leads to a living one. */
  private void tryTokens() {
    for (int state = 0; state < grammar.size(); state++) {
      living.set(state, grammar.accepts(state));
    }
    long tried = 0;
    boolean more = true;
    while (more && tried < MOST_TRIED) {
      more = false;
      // later states are usually nearer to the end
      for (int state = grammar.size() - 1; state >= 0; state--) {
        if (!living.get(state)) {
          tried += texts.sorted().length;
          boolean lives = lives(state);
          living.set(state, lives);
          more |= lives;
        }
      }
    }
  }

  private boolean lives(int state) {
    for (int token : texts.sorted()) {
      int next = stops.get(token) ? Grammar.DEAD : grammar.step(state, texts.of(token));
      if (next != Grammar.DEAD && living.get(next)) {
        return true;
      }
    }
    return false;
  }
}
