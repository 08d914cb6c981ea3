package roll.torch.model;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.random.RandomGenerator;
import roll.api.data.RandomStreams;
import roll.api.model.DecoderSpec;

/** Generates the initial values of a parameter, a function of seed and name. */
final class ParameterInitializer {
  private final DecoderSpec.Parameter parameter;
  private final double range;
  private final RandomGenerator stream;

  /**
   * Creates the initializer of {@code parameter}.
   *
   * @param range standard deviation of normal values
   */
  ParameterInitializer(DecoderSpec.Parameter parameter, double range, long seed) {
    this.parameter = parameter;
    this.range = range;
    this.stream = RandomStreams.of(seed, "parameter " + parameter.name());
  }

  /** Fills {@code memory} with the next values. */
  void fill(MemorySegment memory) {
    switch (parameter.start()) {
      case ZEROS -> memory.fill((byte) 0);
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

  /** Source of random values, one after another. */
  private interface Source {
    float next();
  }
}
