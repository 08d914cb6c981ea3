package roll.torch.model;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.random.RandomGenerator;
import roll.api.data.RandomStreams;
import roll.api.model.DecoderSpec;

/** The values that parameters of an untrained model begin with. */
final class StartValues {
  private StartValues() {}

  /**
   * Fills {@code memory}, which is zero, as {@code parameter} starts: a function of seed and name.
   *
   * @param range standard deviation of normal values
   */
  static void fill(MemorySegment memory, DecoderSpec.Parameter parameter, double range, long seed) {
    RandomGenerator stream = RandomStreams.of(seed, "parameter " + parameter.name());
    switch (parameter.start()) {
      case ZEROS -> {}
      case ONES -> fill(memory, () -> 1);
      case NORMAL -> fill(memory, () -> (float) (stream.nextGaussian() * range));
      case UNIFORM -> {
        double bound = 1 / Math.sqrt(parameter.shape().getLast());
        fill(memory, () -> (float) ((2 * stream.nextDouble() - 1) * bound));
      }
    }
  }

  private static void fill(MemorySegment memory, Source source) {
    long count = memory.byteSize() / Float.BYTES;
    for (long i = 0; i < count; i++) {
      memory.setAtIndex(ValueLayout.JAVA_FLOAT, i, source.next());
    }
  }

  /** Gives one value after another. */
  private interface Source {
    float next();
  }
}
