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
 * Decodes messages of {@link ByteWriter}. A count larger than the rest of the message is refused,
 * so that a small message cannot cause a large allocation.
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
   * Decodes all bytes of {@code message}.
   *
   * @param sentAhead returns the pictures of the message; null if it contains them
   * @throws MalformedMessageException if it has another version or length, or values that their
   *     type refuses
   */
  static <T> T read(
      byte[] message,
      @Nullable Supplier<List<Picture>> sentAhead,
      Function<ByteReader, T> decoder) {
    try {
      ByteReader reader = new ByteReader(message, sentAhead);
      reader.require(1);
      byte version = reader.buffer.get();
      if (version != ByteWriter.VERSION) {
        throw new MalformedMessageException(
            "a message has version " + version + " (supported: " + ByteWriter.VERSION + ")");
      }
      T value = decoder.apply(reader);
      if (reader.buffer.hasRemaining()) {
        throw new MalformedMessageException(
            reader.buffer.remaining() + " bytes follow the end of a message");
      }
      return value;
    } catch (MalformedMessageException e) {
      throw e;
    } catch (RuntimeException e) { // thrown by the constructor of a record
      throw new MalformedMessageException("a message has an invalid value: " + e.getMessage(), e);
    }
  }

  private void require(long bytes) {
    if (bytes < 0 || bytes > buffer.remaining()) {
      throw new MalformedMessageException(
          "a message ends after " + buffer.limit() + " bytes, in the middle of a value");
    }
  }

  /** Reads the number of values that follow, each of at least {@code bytes} bytes. */
  private int count(int bytes) {
    int count = int32();
    require(count < 0 ? -1 : (long) count * bytes);
    return count;
  }

  boolean bool() {
    require(1);
    byte value = buffer.get();
    if (value != 0 && value != 1) {
      throw new MalformedMessageException("a boolean has the byte " + value + " (allowed: 0, 1)");
    }
    return value == 1;
  }

  int int32() {
    require(4);
    return buffer.getInt();
  }

  long int64() {
    require(8);
    return buffer.getLong();
  }

  double float64() {
    return Double.longBitsToDouble(int64());
  }

  /** Reads one of the enum constants {@code constants}. */
  <E extends Enum<?>> E constant(E[] constants) {
    String name = text();
    for (E constant : constants) {
      if (constant.name().equals(name)) {
        return constant;
      }
    }
    throw new MalformedMessageException("there is no constant " + name);
  }

  String text() {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes())).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedMessageException("a text is not UTF-8", e);
    }
  }

  byte[] bytes() {
    byte[] bytes = new byte[count(1)];
    buffer.get(bytes);
    return bytes;
  }

  Picture picture() {
    if (sentAhead == null) {
      return Picture.of(bytes());
    }
    pictures = pictures == null ? sentAhead.get() : pictures;
    int number = int32();
    if (number < 0 || number >= pictures.size()) {
      throw new MalformedMessageException(
          "a message refers to picture %d of %d".formatted(number, pictures.size()));
    }
    return pictures.get(number);
  }

  /** Reads the bytes of an array of numbers of that width. */
  ByteBuffer array(int width) {
    int bytes = count(width) * width;
    ByteBuffer values = buffer.slice(buffer.position(), bytes);
    buffer.position(buffer.position() + bytes);
    return values;
  }

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

  /** Reads an immutable list of values of at least one byte. */
  <T> List<T> list(Function<ByteReader, T> each) {
    int count = count(1);
    List<T> values = new ArrayList<>(Math.min(count, 1024));
    for (int i = 0; i < count; i++) {
      values.add(each.apply(this));
    }
    return List.copyOf(values);
  }
}
