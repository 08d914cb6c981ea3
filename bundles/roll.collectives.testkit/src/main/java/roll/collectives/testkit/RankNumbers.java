package roll.collectives.testkit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.random.RandomGenerator;
import roll.api.data.RandomStreams;

/** Numbers whose sums show in what order they were added. */
public final class RankNumbers {
  private RankNumbers() {}

  /** {@code count} numbers of rank {@code rank}, of very different sizes. */
  public static float[] drawn(int rank, int count) {
    RandomGenerator random = RandomStreams.of(3, "rank", rank);
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = (float) (random.nextGaussian() * Math.exp(8 * random.nextGaussian()));
    }
    return numbers;
  }

  /** The sum of those of {@code ranks} ranks, added in their order. */
  public static float[] sum(int ranks, int count) {
    float[] sum = drawn(0, count);
    for (int r = 1; r < ranks; r++) {
      float[] more = drawn(r, count);
      for (int i = 0; i < count; i++) {
        sum[i] += more[i];
      }
    }
    return sum;
  }

  /** For each number how far a sum in another order may be off. */
  static float[] tolerance(int ranks, int count) {
    float[] sizes = new float[count];
    for (int r = 0; r < ranks; r++) {
      float[] more = drawn(r, count);
      for (int i = 0; i < count; i++) {
        sizes[i] += Math.abs(more[i]) * ranks * 0x1p-23f;
      }
    }
    return sizes;
  }

  /** Memory with {@code numbers}. */
  public static MemorySegment floats(Arena arena, float... numbers) {
    return arena.allocateFrom(ValueLayout.JAVA_FLOAT, numbers);
  }

  /** The numbers in {@code memory}. */
  public static float[] of(MemorySegment memory) {
    return memory.toArray(ValueLayout.JAVA_FLOAT);
  }
}
