package roll.cluster.inference.weights;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.api.strategy.ReadableWeights;
import roll.decoder.DecoderParameters;

/**
 * One version of weights in the memory of this process, beside those it is a copy of, as f32 or
 * bf16 in native byte order. Who makes it closes it; it is garbage then as soon as nobody reads it.
 *
 * @param spec the model
 * @param version of the weights
 * @param narrow whether the numbers are bf16
 * @param parts one for each parameter of the specification, in its order
 */
public record WeightImage(DecoderSpec spec, long version, boolean narrow, List<MemorySegment> parts)
    implements ReadableWeights {
  private static final int AT_ONCE = 1 << 20;

  /** Parts that are not replaced. */
  public WeightImage {
    parts = List.copyOf(parts);
  }

  /**
   * A copy of {@code weights}, which must not change meanwhile.
   *
   * @param narrow whether those who use it compute in bf16; numbers are rounded to the nearest
   */
  public static WeightImage copy(ReadableWeights weights, boolean narrow) {
    DecoderSpec spec = weights.spec();
    WeightImage image =
        empty(spec, weights.version(), narrow && !spec.has(Trait.VALUE_HEAD), false, null);
    for (int i = 0; i < image.parts.size(); i++) {
      if (image.narrow) {
        narrow(weights, i, image.parts.get(i));
      } else {
        weights.read(i, 0, image.parts.get(i));
      }
    }
    return image;
  }

  /**
   * An image of zeros.
   *
   * @param adapters whether only adapters have memory of their own
   * @param before gives the other parts then
   */
  static WeightImage empty(
      DecoderSpec spec,
      long version,
      boolean narrow,
      boolean adapters,
      @Nullable WeightImage before) {
    Arena arena = Arena.ofAuto();
    List<DecoderSpec.Parameter> parameters = DecoderParameters.of(spec);
    List<MemorySegment> parts = new ArrayList<>(parameters.size());
    for (int i = 0; i < parameters.size(); i++) {
      long bytes = Math.multiplyExact(parameters.get(i).size(), narrow ? 2L : 4L);
      boolean kept = adapters && !parameters.get(i).adapts();
      parts.add(kept && before != null ? before.parts.get(i) : arena.allocate(bytes, 64));
    }
    return new WeightImage(spec, version, narrow, parts);
  }

  private static void narrow(ReadableWeights from, int index, MemorySegment to) {
    long size = to.byteSize() / 2;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment wide = arena.allocate(4L * Math.min(size, AT_ONCE), 64);
      for (long first = 0; first < size; first += AT_ONCE) {
        long count = Math.min(AT_ONCE, size - first);
        from.read(index, first, wide.asSlice(0, 4 * count));
        for (long i = 0; i < count; i++) {
          int bits = wide.getAtIndex(ValueLayout.JAVA_INT, i);
          to.setAtIndex(ValueLayout.JAVA_SHORT, first + i, rounded(bits));
        }
      }
    }
  }

  /** The bf16 that is nearest to the f32 with these bits, of two the even one; a NaN stays one. */
  static short rounded(int bits) {
    if ((bits & 0x7fffffff) > 0x7f800000) {
      return (short) 0x7fc0;
    }
    return (short) ((bits + 0x7fff + (bits >>> 16 & 1)) >>> 16);
  }

  /** Bytes of all parts. */
  public long bytes() {
    return parts.stream().mapToLong(MemorySegment::byteSize).sum();
  }

  @Override
  public void read(int index, long first, MemorySegment target) {
    MemorySegment part = parts.get(index);
    if (!narrow) {
      MemorySegment.copy(part, 4 * first, target, 0, target.byteSize());
      return;
    }
    for (long i = 0; i < target.byteSize() / 4; i++) {
      int bits = part.getAtIndex(ValueLayout.JAVA_SHORT, first + i) << 16;
      target.set(ValueLayout.JAVA_INT_UNALIGNED, 4 * i, bits);
    }
  }
}
