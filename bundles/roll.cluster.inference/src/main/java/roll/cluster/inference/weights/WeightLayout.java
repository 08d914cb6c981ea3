package roll.cluster.inference.weights;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.api.strategy.ReadableWeights;
import roll.cluster.transfer.TransferPart;
import roll.cluster.transfer.VersionId;
import roll.cluster.transfer.VersionManifest;
import roll.cluster.transfer.VersionReader;
import roll.decoder.DecoderParameters;

/**
 * Layout of a model's parameters in a transferred version: one after the other in the order of the
 * specification, as f32 or bf16 in native byte order.
 *
 * @param spec the model
 * @param narrow whether the numbers are bf16
 * @param adapters whether it has the adapters alone
 */
record WeightLayout(DecoderSpec spec, boolean narrow, boolean adapters) {
  /** First part of a weight manifest, without bytes; its format is the version of the weights. */
  private static final String VERSION = "version";

  /** Returns the layout of all parameters; with a value head they are f32 in any case. */
  static WeightLayout of(DecoderSpec spec, boolean narrow) {
    return new WeightLayout(spec, narrow && !spec.has(Trait.VALUE_HEAD), false);
  }

  /** Returns the layout of the adapters; null for a model without them. */
  @Nullable WeightLayout adaptersAlone() {
    return spec.adapter() == null ? null : new WeightLayout(spec, narrow, true);
  }

  private int width() {
    return narrow ? Short.BYTES : Float.BYTES;
  }

  private int[] indices() {
    List<DecoderSpec.Parameter> all = DecoderParameters.of(spec);
    return IntStream.range(0, all.size()).filter(i -> !adapters || all.get(i).adapts()).toArray();
  }

  /** Returns the number of weights of the model. */
  long numbers() {
    List<DecoderSpec.Parameter> all = DecoderParameters.of(spec);
    return Arrays.stream(indices()).mapToLong(i -> all.get(i).size()).sum();
  }

  /** Returns the size of the weights in bytes. */
  long bytes() {
    return Math.multiplyExact(numbers(), (long) width());
  }

  /** Returns the manifest of weights with that version. */
  VersionManifest manifest(VersionId id, long version) {
    List<DecoderSpec.Parameter> all = DecoderParameters.of(spec);
    String format = narrow ? "bf16 " : "f32 ";
    List<TransferPart> parts = new ArrayList<>();
    parts.add(new TransferPart(VERSION, Long.toString(version), 0));
    for (int index : indices()) {
      DecoderSpec.Parameter parameter = all.get(index);
      long bytes = parameter.size() * width();
      parts.add(new TransferPart(parameter.name(), format + parameter.shape(), bytes));
    }
    return new VersionManifest(id, parts);
  }

  /**
   * Returns the version of the weights that {@code manifest} describes.
   *
   * @throws IllegalArgumentException if they have another layout
   */
  long version(VersionManifest manifest) {
    TransferPart first = manifest.parts().getFirst();
    if (first.name().equals(VERSION)) {
      long version = Long.parseLong(first.format());
      if (manifest(manifest.id(), version).parts().equals(manifest.parts())) {
        return version;
      }
    }
    throw new IllegalArgumentException(manifest.id() + " is not of the model that was named");
  }

  /**
   * Returns the native weights in {@code memory}.
   *
   * @param base all parameters, for those that a layout of adapters lacks
   */
  NativeWeights image(MemorySegment memory, List<MemorySegment> base, long version) {
    List<DecoderSpec.Parameter> all = DecoderParameters.of(spec);
    List<MemorySegment> parts = new ArrayList<>(all.size());
    long at = 0;
    for (int i = 0; i < all.size(); i++) {
      if (adapters && !all.get(i).adapts()) {
        parts.add(base.get(i));
      } else {
        long bytes = all.get(i).size() * width();
        parts.add(memory.asSlice(at, bytes));
        at += bytes;
      }
    }
    return new NativeWeights(spec, version, narrow, parts);
  }

  /** Returns a reader of the parameters as f32; {@code weights} must not change meanwhile. */
  VersionReader reader(ReadableWeights weights) {
    int[] indices = indices();
    List<DecoderSpec.Parameter> all = DecoderParameters.of(spec);
    long[] starts = new long[indices.length + 1];
    for (int i = 0; i < indices.length; i++) {
      starts[i + 1] = starts[i] + all.get(indices[i]).size() * Float.BYTES;
    }
    return (at, scratch) -> {
      int found = Arrays.binarySearch(starts, at);
      int part = found < 0 ? -found - 2 : found;
      while (starts[part + 1] == at) {
        part++; // an empty parameter
      }
      long most = Math.min(scratch.byteSize(), starts[part + 1] - at);
      MemorySegment target = scratch.asSlice(0, most / Float.BYTES * Float.BYTES);
      weights.read(indices[part], (at - starts[part]) / Float.BYTES, target);
      return target;
    };
  }

  /** Returns a reader of {@code copy}, which is f32, in the number format of this layout. */
  VersionReader sent(MemorySegment copy) {
    return narrow ? (at, scratch) -> rounded(copy, at, scratch) : VersionReader.of(copy);
  }

  /** Rounds the weights while sending, so that publishing does not wait for rounding. */
  private static MemorySegment rounded(MemorySegment wide, long at, MemorySegment scratch) {
    long first = at / Short.BYTES;
    long count = Math.min(scratch.byteSize() / Short.BYTES, wide.byteSize() / Float.BYTES - first);
    MemorySegment from = wide.asSlice(Float.BYTES * first, Float.BYTES * count);
    for (long i = 0; i < count; i++) {
      int bits = from.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, i);
      scratch.setAtIndex(ValueLayout.JAVA_SHORT_UNALIGNED, i, rounded(bits));
    }
    return scratch.asSlice(0, Short.BYTES * count);
  }

  /** Returns the bf16 nearest to an f32, the even one of two; a NaN stays one. */
  static short rounded(int bits) {
    if ((bits & 0x7fffffff) > 0x7f800000) {
      return (short) 0x7fc0;
    }
    return (short) ((bits + 0x7fff + (bits >>> 16 & 1)) >>> 16);
  }
}
