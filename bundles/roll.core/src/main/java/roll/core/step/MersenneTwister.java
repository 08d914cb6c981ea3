package roll.core.step;

import java.util.Arrays;

/**
 * MT19937 (Matsumoto and Nishimura 1998) with the seeding and bounding of NumPy's {@code
 * RandomState}: equal seeds give equal numbers.
 */
final class MersenneTwister {
  private static final int SIZE = 624;
  private static final int SHIFT = 397;

  private final int[] state = new int[SIZE];
  private int next = SIZE;

  /** Creates a generator whose numbers follow from {@code seed}. */
  MersenneTwister(int seed) {
    state[0] = seed;
    for (int i = 1; i < SIZE; i++) {
      state[i] = 1812433253 * (state[i - 1] ^ (state[i - 1] >>> 30)) + i;
    }
  }

  /** Returns the next 32 random bits. */
  int next() {
    if (next == SIZE) {
      twist();
    }
    int y = state[next++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return y ^ (y >>> 18);
  }

  private void twist() {
    for (int i = 0; i < SIZE; i++) {
      int y = (state[i] & 0x80000000) | (state[(i + 1) % SIZE] & 0x7fffffff);
      state[i] = state[(i + SHIFT) % SIZE] ^ (y >>> 1) ^ ((y & 1) * 0x9908b0df);
    }
    next = 0;
  }

  /**
   * {@code count} numbers from 0 to below {@code bound}, each any of them: bits beyond the bound's
   * are cut off, and what is still too large is drawn again.
   */
  int[] below(int bound, int count) {
    int most = bound - 1;
    int[] drawn = new int[count];
    if (most == 0) {
      return drawn; // nothing is drawn where there is no choice
    }
    int mask = (Integer.highestOneBit(most) << 1) - 1;
    Arrays.setAll(
        drawn,
        i -> {
          int value = next() & mask;
          while (value > most) {
            value = next() & mask;
          }
          return value;
        });
    return drawn;
  }
}
