package roll.cluster.services.codec;

import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Codec of values of one type, each of at least one byte. */
interface ValueCodec {
  /**
   * Encodes {@code value} into the message {@code out}.
   *
   * @throws RuntimeException if it has another type
   */
  void write(ByteWriter out, @Nullable Object value);

  /**
   * Decodes a value from a message.
   *
   * @throws RuntimeException if {@link #write} cannot have written it
   */
  @Nullable Object read(ByteReader in);

  /** Returns the codec of non-null values of {@code type}. */
  static <T> ValueCodec of(
      Class<T> type, BiConsumer<ByteWriter, T> write, Function<ByteReader, T> read) {
    return new ValueCodec() {
      @Override
      public void write(ByteWriter out, @Nullable Object value) {
        write.accept(out, Objects.requireNonNull(type.cast(value), type.getSimpleName()));
      }

      @Override
      public Object read(ByteReader in) {
        return read.apply(in);
      }
    };
  }

  /** Returns the codec of nullable values, which has a byte before the value. */
  default ValueCodec orNull() {
    ValueCodec there = this;
    return new ValueCodec() {
      @Override
      public void write(ByteWriter out, @Nullable Object value) {
        out.bool(value != null);
        if (value != null) {
          there.write(out, value);
        }
      }

      @Override
      public @Nullable Object read(ByteReader in) {
        return in.bool() ? there.read(in) : null;
      }
    };
  }

  /** Decodes a value like {@link #read}, but refuses null. */
  default Object present(ByteReader in) {
    Object value = read(in);
    if (value == null) {
      throw new MalformedMessageException("a value is missing");
    }
    return value;
  }
}
