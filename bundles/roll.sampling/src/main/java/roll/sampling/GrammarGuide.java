package roll.sampling;

import roll.sampling.grammar.TokenMasks;

/**
 * A state of a grammar.
 *
 * @param masks of the grammar
 * @param state after the tokens so far
 */
record GrammarGuide(TokenMasks masks, int state) implements Guide {
  private static final int[] NONE = {};

  @Override
  public int[] allowed(int[] stops) {
    return NONE;
  }

  @Override
  public long[] mask() {
    return masks.mask(state);
  }

  @Override
  public boolean allows(int token) {
    return (mask()[token / Long.SIZE] & (1L << token)) != 0;
  }

  @Override
  public Guide after(int token) {
    return new GrammarGuide(masks, masks.after(state, token));
  }

  @Override
  public boolean complete() {
    return masks.complete(state);
  }
}
