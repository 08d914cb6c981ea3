package roll.tracking.tensorboard;

import java.util.zip.CRC32C;

/** The checksum of TFRecord files. */
final class MaskedCrc {
  private MaskedCrc() {}

  /**
   * Returns the CRC-32C of {@code bytes}, rotated right by 15 plus a constant, so that checksums of
   * data with embedded checksums stay reliable (TensorFlow, {@code core/lib/hash/crc32c.h}).
   */
  static int masked(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return Integer.rotateRight((int) crc.getValue(), 15) + 0xa282ead8;
  }
}
