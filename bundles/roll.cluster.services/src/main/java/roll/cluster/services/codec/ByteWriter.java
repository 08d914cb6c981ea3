package roll.cluster.services.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;

/** Encodes messages: big-endian numbers, with counts before lists, texts and arrays. */
final class ByteWriter {
  /** Version of the message encoding; a reader refuses other versions. */
  static final byte VERSION = 1;

  private final @Nullable MessagePictures pictures;
  private ByteBuffer buffer = ByteBuffer.allocate(256);

  /**
   * Creates the writer of one message.
   *
   * @param pictures receives the pictures, which are written as numbers; null to write their bytes
   */
  ByteWriter(@Nullable MessagePictures pictures) {
    this.pictures = pictures;
    buffer.put(VERSION);
  }

  private ByteBuffer room(long bytes) {
    long needed = buffer.position() + bytes;
    if (needed > buffer.capacity()) {
      int size = Math.toIntExact(Math.max(needed, Math.min(2L * buffer.capacity(), 1L << 30)));
      buffer = ByteBuffer.allocate(size).put(buffer.flip());
    }
    return buffer;
  }

  ByteWriter bool(boolean value) {
    room(1).put((byte) (value ? 1 : 0));
    return this;
  }

  ByteWriter int32(int value) {
    room(4).putInt(value);
    return this;
  }

  ByteWriter int64(long value) {
    room(8).putLong(value);
    return this;
  }

  /** Writes the bits of {@code value}, including those of a NaN. */
  ByteWriter float64(double value) {
    return int64(Double.doubleToRawLongBits(value));
  }

  ByteWriter constant(Enum<?> value) {
    return text(value.name());
  }

  ByteWriter text(String value) {
    return bytes(value.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes the count and the bytes. */
  ByteWriter bytes(byte[] value) {
    room(4L + value.length).putInt(value.length).put(value);
    return this;
  }

  /** Writes the number of a picture that is sent ahead, or its bytes. */
  ByteWriter picture(Picture value) {
    return pictures == null ? bytes(value.data()) : int32(pictures.number(value));
  }

  /** Writes the count and returns the space for values of {@code width} bytes each. */
  ByteBuffer array(int count, int width) {
    room(4 + (long) count * width).putInt(count);
    ByteBuffer values = buffer.slice(buffer.position(), count * width);
    buffer.position(buffer.position() + count * width);
    return values;
  }

  /** Writes a list of booleans: the count and one bit for each value. */
  ByteWriter bools(boolean[] values) {
    byte[] bits = new byte[(values.length + 7) / 8];
    for (int i = 0; i < values.length; i++) {
      bits[i / 8] |= (byte) ((values[i] ? 1 : 0) << (i % 8));
    }
    room(4L + bits.length).putInt(values.length).put(bits);
    return this;
  }

  /** Writes the count and the values. */
  <T> ByteWriter list(Collection<T> values, BiConsumer<ByteWriter, T> each) {
    int32(values.size());
    values.forEach(value -> each.accept(this, value));
    return this;
  }

  /** Returns the encoded message. */
  byte[] toBytes() {
    return Arrays.copyOf(buffer.array(), buffer.position());
  }
}
