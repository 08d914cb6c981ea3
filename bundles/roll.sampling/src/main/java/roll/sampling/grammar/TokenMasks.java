package roll.sampling.grammar;

import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.option.UserException;

/**
 * The tokens that may continue a text of a grammar, by its state: computed when a state is first
 * reached, and kept for the latest states. Used only on the compute thread.
 */
public final class TokenMasks {
  /** Maximum bytes of the masks of one grammar. */
  private static final long MOST_BYTES = 8 << 20;

  private final Grammar grammar;
  private final TokenTexts texts;
  private final BitSet stops;
  private final BitSet living;
  private final int most;
  private final Map<Integer, long[]> masks = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * Creates the masks of {@code grammar}, without any.
   *
   * @param texts of the vocabulary
   * @param stops tokens that end a text, and are no part of it
   * @throws UserException if the vocabulary cannot write any text
   */
  public TokenMasks(Grammar grammar, TokenTexts texts, List<Integer> stops) {
    this.stops = new BitSet();
    stops.forEach(this.stops::set);
    this.texts = texts;
    this.grammar = grammar;
    this.living = LivingStates.of(grammar, texts, this.stops);
    if (!living.get(grammar.start())) {
      throw new UserException(grammar.what() + ": allows no text that the vocabulary can write");
    }
    this.most = Math.toIntExact(Math.max(1, MOST_BYTES / (Long.BYTES * (long) words())));
  }

  /** Returns the number of integers of a mask. */
  public int words() {
    return Math.ceilDiv(texts.size(), Long.SIZE);
  }

  /** Returns the grammar of the masks. */
  public Grammar grammar() {
    return grammar;
  }

  /** Returns the allowed tokens in {@code state}, a bit each; not to be modified. */
  public long[] mask(int state) {
    long[] mask = masks.get(state);
    if (mask == null) {
      BitSet allowed = texts.allowed(grammar, state, living);
      allowed.andNot(stops);
      if (grammar.accepts(state)) {
        allowed.or(stops);
      }
      mask = Arrays.copyOf(allowed.toLongArray(), words());
      masks.put(state, mask);
      if (masks.size() > most) {
        masks.remove(masks.keySet().iterator().next());
      }
    }
    return mask;
  }

  /** Returns whether a text ends in {@code state} and no token continues it. */
  public boolean complete(int state) {
    if (!grammar.accepts(state)) {
      return false;
    }
    BitSet more = BitSet.valueOf(mask(state));
    more.andNot(stops);
    return more.isEmpty();
  }

  /**
   * Returns the state after {@code token}, which is no stop token.
   *
   * @throws IllegalStateException if it is not allowed
   */
  public int after(int state, int token) {
    byte[] text = texts.of(token);
    int next = grammar.step(state, text);
    if (next == Grammar.DEAD || text.length == 0) {
      throw new IllegalStateException("token " + token + " is not allowed");
    }
    return next;
  }
}
