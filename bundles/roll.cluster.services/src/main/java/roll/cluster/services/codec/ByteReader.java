package roll.cluster.services.codec;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;

/**
 * Reads what {@link ByteWriter} wrote. A count is believed only if as much can still follow, so
 * that a message of some bytes makes no array of many.
 */
final class ByteReader {
  private final ByteBuffer buffer;
  private final @Nullable Supplier<List<Picture>> sentAhead;
  private @Nullable List<Picture> pictures;

  private ByteReader(byte[] message, @Nullable Supplier<List<Picture>> sentAhead) {
    this.buffer = ByteBuffer.wrap(message);
    this.sentAhead = sentAhead;
  }

  /**
   * What {@code how} makes of {@code message}, all of which it must read.
   *
   * @throws MalformedMessageException if it is of another version, too short, too long, or holds
   *     values that what is made of them does not accept
   */
  static <T> T read(
      byte[] message, @Nullable Supplier<List<Picture>> sentAhead, Function<ByteReader, T> how) {
    try {
      ByteReader reader = new ByteReader(message, sentAhead);
      reader.require(1);
      byte version = reader.buffer.get();
      if (version != ByteWriter.VERSION) {
        throw new MalformedMessageException(
            "a message of version " + version + ", where " + ByteWriter.VERSION + " is read");
      }
      T value = how.apply(reader);
      if (reader.buffer.hasRemaining()) {
        throw new MalformedMessageException(
            reader.buffer.remaining() + " bytes follow the end of a message");
      }
      return value;
    } catch (MalformedMessageException e) {
      throw e;
    } catch (RuntimeException e) { // of the records, which refuse what they cannot be
      throw new MalformedMessageException("a message says what cannot be: " + e.getMessage(), e);
    }
  }

  private void require(long bytes) {
    if (bytes < 0 || bytes > buffer.remaining()) {
      throw new MalformedMessageException(
          "a message ends after " + buffer.limit() + " bytes, in the middle of a value");
    }
  }

  /** How many follow, each of at least {@code bytes} bytes. */
  private int count(int bytes) {
    int count = int32();
    require(count < 0 ? -1 : (long) count * bytes);
    return count;
  }

  /** As {@link ByteWriter#bool}. */
  boolean bool() {
    require(1);
    byte value = buffer.get();
    if (value != 0 && value != 1) {
      throw new MalformedMessageException("a byte is neither true nor false, but " + value);
    }
    return value == 1;
  }

  /** As {@link ByteWriter#int32}. */
  int int32() {
    require(4);
    return buffer.getInt();
  }

  /** As {@link ByteWriter#int64}. */
  long int64() {
    require(8);
    return buffer.getLong();
  }

  /** As {@link ByteWriter#float64}. */
  double float64() {
    return Double.longBitsToDouble(int64());
  }

  /** One of {@code constants}, as {@link ByteWriter#constant}. */
  <E extends Enum<?>> E constant(E[] constants) {
    String name = text();
    for (E constant : constants) {
      if (constant.name().equals(name)) {
        return constant;
      }
    }
    throw new MalformedMessageException("there is no constant " + name);
  }

  /** As {@link ByteWriter#text}. */
  String text() {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes())).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedMessageException("a text is not UTF-8", e);
    }
  }

  /** As {@link ByteWriter#bytes}. */
  byte[] bytes() {
    byte[] bytes = new byte[count(1)];
    buffer.get(bytes);
    return bytes;
  }

  /** As {@link ByteWriter#picture}. */
  Picture picture() {
    if (sentAhead == null) {
      return Picture.of(bytes());
    }
    pictures = pictures == null ? sentAhead.get() : pictures;
    int number = int32();
    if (number < 0 || number >= pictures.size()) {
      throw new MalformedMessageException(
          "picture %d is shown, where %d came".formatted(number, pictures.size()));
    }
    return pictures.get(number);
  }

  /** As {@link ByteWriter#array}. */
  ByteBuffer array(int width) {
    int bytes = count(width) * width;
    ByteBuffer values = buffer.slice(buffer.position(), bytes);
    buffer.position(buffer.position() + bytes);
    return values;
  }

  /** As {@link ByteWriter#bools}. */
  boolean[] bools() {
    int count = int32();
    require(count < 0 ? -1 : (count + 7L) / 8);
    boolean[] values = new boolean[count];
    byte bits = 0;
    for (int i = 0; i < count; i++) {
      bits = i % 8 == 0 ? buffer.get() : bits;
      values[i] = (bits >> (i % 8) & 1) == 1;
    }
    return values;
  }

  /** As {@link ByteWriter#list}; each value has at least one byte. The list does not change. */
  <T> List<T> list(Function<ByteReader, T> each) {
    int count = count(1);
    List<T> values = new ArrayList<>(Math.min(count, 1024));
    for (int i = 0; i < count; i++) {
      values.add(each.apply(this));
    }
    return List.copyOf(values);
  }
}
