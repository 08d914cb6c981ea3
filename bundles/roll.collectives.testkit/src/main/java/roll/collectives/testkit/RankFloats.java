package roll.collectives.testkit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.random.RandomGenerator;
import roll.api.data.RandomStreams;

/** Floats whose sum depends on the order of addition. */
public final class RankFloats {
  private RankFloats() {}

  /** Returns {@code count} floats of very different magnitudes for {@code rank}. */
  public static float[] random(int rank, int count) {
    RandomGenerator random = RandomStreams.of(3, "rank", rank);
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = (float) (random.nextGaussian() * Math.exp(8 * random.nextGaussian()));
    }
    return numbers;
  }

  /** Returns the sum over {@code ranks} ranks, in their order. */
  public static float[] sum(int ranks, int count) {
    float[] sum = random(0, count);
    for (int r = 1; r < ranks; r++) {
      float[] more = random(r, count);
      for (int i = 0; i < count; i++) {
        sum[i] += more[i];
      }
    }
    return sum;
  }

  /** Returns the tolerance of each element of a sum in another order. */
  static float[] tolerance(int ranks, int count) {
    float[] sizes = new float[count];
    for (int r = 0; r < ranks; r++) {
      float[] more = random(r, count);
      for (int i = 0; i < count; i++) {
        sizes[i] += Math.abs(more[i]) * ranks * 0x1p-23f;
      }
    }
    return sizes;
  }

  /** Allocates memory with {@code numbers}. */
  public static MemorySegment floats(Arena arena, float... numbers) {
    return arena.allocateFrom(ValueLayout.JAVA_FLOAT, numbers);
  }

  /** Returns the test floats in {@code memory}. */
  public static float[] of(MemorySegment memory) {
    return memory.toArray(ValueLayout.JAVA_FLOAT);
  }
}
