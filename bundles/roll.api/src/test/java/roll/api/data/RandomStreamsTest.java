package roll.api.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RandomStreamsTest {
  /** Golden values, computed apart from this code: a change of them changes every run. */
  @Test
  void seedsNeverChange() {
    assertEquals(0x6c3888ed6ca0d972L, RandomStreams.seed(42, "rollout"));
    assertEquals(0xb90cb720e25700e3L, RandomStreams.seed(42, "rollout", 0));
    assertEquals(0x15cebc42dca761c9L, RandomStreams.seed(42, "rollout", 1, 2, 3));
    assertEquals(0xe220a8397b1dcdafL, RandomStreams.seed(0, ""));
    assertEquals(0xde0a564cbcd060c4L, RandomStreams.seed(-1, ""));
  }

  /** The first numbers of SplitMix64 from the seed above. */
  @Test
  void streamsNeverChange() {
    RandomGenerator stream = RandomStreams.of(42, "rollout", 1, 2, 3);
    assertEquals(0xef07a6e0b9a95b07L, stream.nextLong());
    assertEquals(0x80de2d76427f35a3L, stream.nextLong());
  }

  @Test
  void everySeedPurposeAndIndexHasItsOwnStream() {
    Set<Long> seeds = new HashSet<>();
    int streams = 0;
    for (long root = -2; root < 3; root++) {
      for (String purpose : new String[] {"", "a", "b", "ab", "ba", "rollout", "rollout/"}) {
        seeds.add(RandomStreams.seed(root, purpose));
        streams++;
        for (long i = -3; i < 20; i++) {
          seeds.add(RandomStreams.seed(root, purpose, i));
          streams++;
          for (long j = 0; j < 20; j++) {
            seeds.add(RandomStreams.seed(root, purpose, i, j));
            streams++;
          }
        }
      }
    }
    assertEquals(streams, seeds.size());
  }

  /** Neighboring indices give numbers as if drawn from one stream: mean ½, variance 1/12. */
  @Test
  void neighbouringStreamsAreIndependent() {
    int n = 20_000;
    double sum = 0;
    double products = 0;
    double previous = 0.5;
    for (int i = 0; i < n; i++) {
      double x = RandomStreams.of(1, "episode", i).nextDouble();
      sum += x;
      products += (x - 0.5) * (previous - 0.5);
      previous = x;
    }
    double mean = sum / n;
    double correlation = 12 * products / n;
    assertEquals(0.5, mean, 5 / Math.sqrt(12.0 * n));
    assertTrue(Math.abs(correlation) < 5 / Math.sqrt(n), () -> "correlation " + correlation);
  }
}
