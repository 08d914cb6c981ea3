package roll.cluster.services.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;

/** Writes a message: big-endian numbers, and counts before what is counted. */
final class ByteWriter {
  /** Version of the form of all messages; a reader refuses others. */
  static final byte VERSION = 1;

  private final @Nullable MessagePictures pictures;
  private ByteBuffer buffer = ByteBuffer.allocate(256);

  /**
   * Begins a message.
   *
   * @param pictures gets the pictures, which are written as numbers; null writes their bytes
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

  /** One byte: 1 for true. */
  ByteWriter bool(boolean value) {
    room(1).put((byte) (value ? 1 : 0));
    return this;
  }

  /** Four bytes. */
  ByteWriter int32(int value) {
    room(4).putInt(value);
    return this;
  }

  /** Eight bytes. */
  ByteWriter int64(long value) {
    room(8).putLong(value);
    return this;
  }

  /** The bits of {@code value}, also those of a NaN. */
  ByteWriter float64(double value) {
    return int64(Double.doubleToRawLongBits(value));
  }

  /** The name of a constant. */
  ByteWriter constant(Enum<?> value) {
    return text(value.name());
  }

  /** UTF-8. */
  ByteWriter text(String value) {
    return bytes(value.getBytes(StandardCharsets.UTF_8));
  }

  /** Bytes with their number before them. */
  ByteWriter bytes(byte[] value) {
    room(4L + value.length).putInt(value.length).put(value);
    return this;
  }

  /** Number of a picture that is sent ahead, or its bytes. */
  ByteWriter picture(Picture value) {
    return pictures == null ? bytes(value.data()) : int32(pictures.number(value));
  }

  /** Where so many values of so many bytes are to be written, behind their count. */
  ByteBuffer array(int count, int width) {
    room(4 + (long) count * width).putInt(count);
    ByteBuffer values = buffer.slice(buffer.position(), count * width);
    buffer.position(buffer.position() + count * width);
    return values;
  }

  /** One bit each, with their count before them. */
  ByteWriter bools(boolean[] values) {
    byte[] bits = new byte[(values.length + 7) / 8];
    for (int i = 0; i < values.length; i++) {
      bits[i / 8] |= (byte) ((values[i] ? 1 : 0) << (i % 8));
    }
    room(4L + bits.length).putInt(values.length).put(bits);
    return this;
  }

  /** What {@code each} writes of each of {@code values}, with their count before them. */
  <T> ByteWriter list(Collection<T> values, BiConsumer<ByteWriter, T> each) {
    int32(values.size());
    values.forEach(value -> each.accept(this, value));
    return this;
  }

  /** The message. */
  byte[] toBytes() {
    return Arrays.copyOf(buffer.array(), buffer.position());
  }
}
