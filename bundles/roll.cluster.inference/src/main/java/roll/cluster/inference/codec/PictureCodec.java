package roll.cluster.inference.codec;

import roll.api.image.Picture;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;

/** Pictures, encoded as they came. */
final class PictureCodec {
  private PictureCodec() {}

  static void write(ByteWriter out, Picture picture) {
    out.bytes(picture.data());
  }

  /** As {@link #write} wrote it. */
  static Picture picture(ByteReader in) {
    return Picture.of(in.bytes());
  }
}
