package roll.cluster.inference.weights;

import roll.api.model.DecoderSpec;
import roll.cluster.inference.codec.ByteReader;
import roll.cluster.inference.codec.ByteWriter;
import roll.cluster.inference.codec.DecoderSpecCodec;

/**
 * What a node needs to know to pull weights.
 *
 * @param number of the offer, at the node that offers
 * @param spec the model
 * @param version of the weights
 * @param narrow whether the numbers are bf16
 */
public record WeightOffer(long number, DecoderSpec spec, long version, boolean narrow) {
  /** Writes all of it. */
  public static void write(ByteWriter out, WeightOffer offer) {
    out.int64(offer.number)
        .of(offer.spec, DecoderSpecCodec::write)
        .int64(offer.version)
        .bool(offer.narrow);
  }

  /** As {@link #write} wrote it. */
  public static WeightOffer read(ByteReader in) {
    return new WeightOffer(in.int64(), DecoderSpecCodec.spec(in), in.int64(), in.bool());
  }
}
