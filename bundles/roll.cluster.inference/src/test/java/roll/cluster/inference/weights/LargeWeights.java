package roll.cluster.inference.weights;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.model.Rope;
import roll.api.strategy.ReadableWeights;
import roll.decoder.DecoderParameters;

/**
 * Weights of five million numbers that are functions of their place; adapters of the version too.
 */
record LargeWeights(DecoderSpec spec, long version) implements ReadableWeights {
  static LargeWeights of(long version) {
    return new LargeWeights(spec(null), version);
  }

  /** With adapters on one projection of each layer. */
  static LargeWeights adapted(long version) {
    return new LargeWeights(spec(adapter()), version);
  }

  private static Adapter adapter() {
    Set<String> modules =
        DecoderParameters.projections(spec(null)).stream()
            .filter(module -> module.endsWith("q_proj"))
            .collect(Collectors.toSet());
    return new Adapter(8, 16, false, 0, modules);
  }

  private static DecoderSpec spec(@Nullable Adapter adapter) {
    return new DecoderSpec(
            "qwen2",
            8192,
            256,
            1024,
            3,
            new DecoderSpec.Attention(4, 2, 64),
            Rope.standard(1000, 64),
            512,
            1e-6,
            Set.of(DecoderSpec.Trait.TIED_HEAD),
            0.02)
        .with(adapter);
  }

  /** Seed of the numbers of a parameter. */
  private long start(int index) {
    boolean changes = spec.adapter() == null || DecoderParameters.of(spec).get(index).adapts();
    return 7919L * index + (changes ? version : 0);
  }

  private static float number(long start, long place) {
    return (31 * (place + start) % 4096) / 512f - 3;
  }

  @Override
  public void read(int index, long first, MemorySegment target) {
    long start = start(index);
    for (long i = 0; i < target.byteSize() / 4; i++) {
      target.set(JAVA_FLOAT_UNALIGNED, 4 * i, number(start, first + i));
    }
  }

  /** Asserts that {@code image} has exactly these numbers, rounded if it is bf16. */
  void assertIn(NativeWeights image) {
    assertEquals(spec, image.spec());
    assertEquals(version, image.version());
    List<DecoderSpec.Parameter> all = DecoderParameters.of(spec);
    for (int i = 0; i < all.size(); i++) {
      MemorySegment found = MemorySegment.ofArray(new float[(int) all.get(i).size()]);
      image.read(i, 0, found);
      long start = start(i);
      for (long j = 0; j < all.get(i).size(); j += 97) {
        float expected = number(start, j);
        if (image.narrow()) {
          expected =
              Float.intBitsToFloat(WeightLayout.rounded(Float.floatToIntBits(expected)) << 16);
        }
        assertEquals(expected, found.get(JAVA_FLOAT_UNALIGNED, 4 * j), 0, all.get(i).name());
      }
    }
  }
}
