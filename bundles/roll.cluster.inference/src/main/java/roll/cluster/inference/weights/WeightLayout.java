package roll.cluster.inference.weights;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.cluster.transfer.Manifest;
import roll.cluster.transfer.TransferPart;
import roll.cluster.transfer.VersionId;
import roll.decoder.DecoderParameters;

/**
 * Where the parameters of a model lie in a version that travels: one behind the other in the order
 * of the specification, as f32 or bf16 in native byte order.
 *
 * @param spec the model
 * @param narrow whether the numbers are bf16
 * @param adapters whether only adapters are there
 */
record WeightLayout(DecoderSpec spec, boolean narrow, boolean adapters) {
  /** The first part of a manifest, which has no bytes: the number of the weights' version. */
  private static final String VERSION = "version";

  /** All parameters; numbers are f32 where a value head is, which is always computed in f32. */
  static WeightLayout of(DecoderSpec spec, boolean narrow) {
    return new WeightLayout(spec, narrow && !spec.has(Trait.VALUE_HEAD), false);
  }

  /** The adapters alone; null where there are none. */
  @Nullable WeightLayout adaptersAlone() {
    return spec.adapter() == null ? null : new WeightLayout(spec, narrow, true);
  }

  /** Bytes of a number. */
  int width() {
    return narrow ? Short.BYTES : Float.BYTES;
  }

  /** Places of the parameters that are there, in the specification. */
  int[] indices() {
    List<DecoderSpec.Parameter> all = DecoderParameters.of(spec);
    return java.util.stream.IntStream.range(0, all.size())
        .filter(i -> !adapters || all.get(i).adapts())
        .toArray();
  }

  /** How many numbers are there. */
  long numbers() {
    return DecoderParameters.of(spec).stream()
        .filter(parameter -> !adapters || parameter.adapts())
        .mapToLong(DecoderSpec.Parameter::size)
        .sum();
  }

  /** Bytes of all parameters that are there. */
  long bytes() {
    return Math.multiplyExact(numbers(), (long) width());
  }

  /** {@code copy}, in which all these numbers are f32, as weights. */
  WeightImage image(MemorySegment copy, long version) {
    List<MemorySegment> parts = new ArrayList<>();
    long at = 0;
    for (DecoderSpec.Parameter parameter : DecoderParameters.of(spec)) {
      long bytes = parameter.size() * Float.BYTES;
      parts.add(copy.asSlice(at, bytes));
      at += bytes;
    }
    return new WeightImage(spec, version, false, parts);
  }

  /** A manifest of the weights with this number of optimizer steps. */
  Manifest manifest(VersionId id, long version) {
    List<DecoderSpec.Parameter> all = DecoderParameters.of(spec);
    String format = narrow ? "bf16 " : "f32 ";
    List<TransferPart> parts = new ArrayList<>();
    parts.add(new TransferPart(VERSION, Long.toString(version), 0));
    for (int index : indices()) {
      DecoderSpec.Parameter parameter = all.get(index);
      long bytes = parameter.size() * width();
      parts.add(new TransferPart(parameter.name(), format + parameter.shape(), bytes));
    }
    return new Manifest(id, parts);
  }

  /**
   * The number of optimizer steps of what {@code manifest} lists.
   *
   * @throws IllegalArgumentException if that is no version of this layout
   */
  long version(Manifest manifest) {
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
   * The parameters in {@code memory}; where only adapters are there, the others are of {@code
   * base}.
   */
  List<MemorySegment> parts(MemorySegment memory, List<MemorySegment> base) {
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
    return parts;
  }
}
