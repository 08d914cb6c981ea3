package roll.api.data;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Derives independent random streams from the run's seed, a purpose, and indices, never from
 * threads, time, or global state.
 */
public final class RandomStreams {
  private RandomStreams() {}

  /** The seed of the stream for {@code purpose} and {@code indices} (group, episode, turn …). */
  public static long seed(long root, String purpose, long... indices) {
    long state = mix(root ^ 0x9E3779B97F4A7C15L);
    for (int i = 0; i < purpose.length(); i++) {
      state = mix(state ^ purpose.charAt(i));
    }
    for (long index : indices) {
      state = mix(state + 0x9E3779B97F4A7C15L ^ mix(index));
    }
    return state;
  }

  /** The stream for {@code purpose} and {@code indices}. */
  public static RandomGenerator of(long root, String purpose, long... indices) {
    return new SplittableRandom(seed(root, purpose, indices));
  }

  /** The finalizer of SplitMix64 (Steele, Lea and Flood 2014). */
  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
