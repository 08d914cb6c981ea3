package roll.cluster.inference.codec;

import java.util.Set;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.DecoderSpec.Experts;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.Rope;
import roll.api.model.VisionSpec;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;

/** Which model weights belong to. */
public final class DecoderSpecCodec {
  private DecoderSpecCodec() {}

  /** All facts of it. */
  public static void write(ByteWriter out, DecoderSpec spec) {
    out.text(spec.modelType())
        .int32(spec.vocabulary())
        .int32(spec.hidden())
        .int32(spec.intermediate())
        .int32(spec.layers())
        .int32(spec.attention().heads())
        .int32(spec.attention().keyValueHeads())
        .int32(spec.attention().headSize())
        .list(
            spec.rope().frequencies(),
            (to, frequency) -> to.int32(Float.floatToRawIntBits(frequency)))
        .float64(spec.rope().attentionFactor())
        .list(spec.rope().sections(), ByteWriter::int32)
        .int32(spec.maxPositions())
        .float64(spec.normEpsilon())
        .list(spec.traits().stream().sorted().toList(), ByteWriter::constant)
        .float64(spec.initializerRange())
        .optional(
            spec.adapter(),
            (to, adapter) ->
                to.int32(adapter.rank())
                    .float64(adapter.alpha())
                    .bool(adapter.rankStabilized())
                    .float64(adapter.dropout())
                    .list(adapter.modules().stream().sorted().toList(), ByteWriter::text))
        .optional(spec.vision(), DecoderSpecCodec::write)
        .optional(
            spec.experts(),
            (to, experts) ->
                to.int32(experts.count()).int32(experts.chosen()).bool(experts.normed()));
  }

  /** As {@link #write} wrote it. */
  public static DecoderSpec spec(ByteReader in) {
    return new DecoderSpec(
        in.text(),
        in.int32(),
        in.int32(),
        in.int32(),
        in.int32(),
        new Attention(in.int32(), in.int32(), in.int32()),
        new Rope(
            in.list(from -> Float.intBitsToFloat(from.int32())),
            in.float64(),
            in.list(ByteReader::int32)),
        in.int32(),
        in.float64(),
        Set.copyOf(in.list(from -> from.constant(Trait.values()))),
        in.float64(),
        in.optional(
            from ->
                new Adapter(
                    from.int32(),
                    from.float64(),
                    from.bool(),
                    from.float64(),
                    Set.copyOf(from.list(ByteReader::text)))),
        in.optional(DecoderSpecCodec::vision),
        in.optional(from -> new Experts(from.int32(), from.int32(), from.bool())));
  }

  private static void write(ByteWriter out, VisionSpec vision) {
    out.int32(vision.imageToken())
        .int32(vision.videoToken())
        .int32(vision.layers())
        .int32(vision.hidden())
        .int32(vision.heads())
        .int32(vision.intermediate())
        .int32(vision.channels())
        .int32(vision.frames())
        .int32(vision.patch())
        .int32(vision.merge())
        .int32(vision.window())
        .list(vision.fullAttention().stream().sorted().toList(), ByteWriter::int32);
  }

  private static VisionSpec vision(ByteReader in) {
    return new VisionSpec(
        in.int32(),
        in.int32(),
        in.int32(),
        in.int32(),
        in.int32(),
        in.int32(),
        in.int32(),
        in.int32(),
        in.int32(),
        in.int32(),
        in.int32(),
        Set.copyOf(in.list(ByteReader::int32)));
  }
}
