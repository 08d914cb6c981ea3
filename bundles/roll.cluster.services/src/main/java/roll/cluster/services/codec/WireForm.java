package roll.cluster.services.codec;

import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How values of one type are written and read. Each has at least one byte. */
interface WireForm {
  /**
   * Writes {@code value}.
   *
   * @throws RuntimeException if it is of another type
   */
  void write(ByteWriter out, @Nullable Object value);

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws RuntimeException if it is something else
   */
  @Nullable Object read(ByteReader in);

  /** The form of values of {@code type}, none of which is null. */
  static <T> WireForm of(
      Class<T> type, BiConsumer<ByteWriter, T> write, Function<ByteReader, T> read) {
    return new WireForm() {
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

  /** This form, of what may be null: a byte before it says whether it is there. */
  default WireForm orNull() {
    WireForm there = this;
    return new WireForm() {
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

  /** As {@link #read}, where null is refused. */
  default Object present(ByteReader in) {
    Object value = read(in);
    if (value == null) {
      throw new MalformedMessageException("a value is missing");
    }
    return value;
  }
}
