package roll.sampling.grammar;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that the tokens of a vocabulary add to a text, in lexicographic order, so that tokens
 * with a common prefix are neighbors.
 */
public final class TokenTexts {
  private static final byte[] NONE = {};

  private final byte[][] byId;
  private final int[] sorted;
  private final int[] common;

  /**
   * Reads a vocabulary.
   *
   * @param size number of tokens of the model
   * @param bytes returns the bytes of a token, null or empty if it adds none to a text
   */
  public TokenTexts(int size, IntFunction<byte @Nullable []> bytes) {
    this.byId = new byte[size][];
    for (int token = 0; token < size; token++) {
      byte[] text = bytes.apply(token);
      byId[token] = text == null ? NONE : text;
    }
    this.sorted =
        IntStream.range(0, size)
            .filter(token -> byId[token].length > 0)
            .boxed()
            .sorted(Comparator.comparing(token -> byId[token], Arrays::compareUnsigned))
            .mapToInt(token -> token)
            .toArray();
    this.common = new int[sorted.length];
    for (int i = 1; i < sorted.length; i++) {
      byte[] before = byId[sorted[i - 1]];
      int mismatch = Arrays.mismatch(before, byId[sorted[i]]);
      common[i] = mismatch < 0 ? before.length : mismatch;
    }
  }

  /** Returns the number of tokens of the model. */
  public int size() {
    return byId.length;
  }

  /** Returns the bytes of {@code token}, empty if it adds none. */
  byte[] of(int token) {
    return byId[token];
  }

  /** Returns the tokens that add something to a text, in the order of their bytes. */
  int[] sorted() {
    return sorted;
  }

  /**
   * Returns the tokens that continue a text of {@code grammar} in {@code state}.
   *
   * @param living the states from which a text can be completed
   */
  BitSet allowed(Grammar grammar, int state, BitSet living) {
    BitSet allowed = new BitSet(byId.length);
    int[] states = new int[64]; // after each byte of the current token
    int known = 0; // leading bytes whose state is known
    boolean dead = false; // whether the byte after them leads nowhere
    states[0] = state;
    for (int i = 0; i < sorted.length; i++) {
      byte[] text = byId[sorted[i]];
      if (dead && common[i] > known) {
        continue; // begins with the bytes that lead nowhere
      }
      known = Math.min(known, common[i]);
      dead = false;
      if (text.length >= states.length) {
        states = Arrays.copyOf(states, 2 * text.length);
      }
      while (known < text.length && !dead) {
        int next = grammar.step(states[known], text[known] & 0xFF);
        dead = next == Grammar.DEAD;
        if (!dead) {
          states[++known] = next;
        }
      }
      if (!dead && living.get(states[known])) {
        allowed.set(sorted[i]);
      }
    }
    return allowed;
  }
}
