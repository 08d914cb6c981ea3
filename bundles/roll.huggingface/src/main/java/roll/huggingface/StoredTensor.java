package roll.huggingface;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.UserException;

/**
 * A tensor in safetensors format: little-endian, row-major, in a file or in memory. A file is
 * mapped only while it is read, so that it does not count as memory of this process for longer.
 */
public final class StoredTensor {
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final String name;
  private final TensorFormat format;
  private final List<Long> shape;
  private final Bytes bytes;
  private final @Nullable Place place;

  private StoredTensor(
      String name, TensorFormat format, List<Long> shape, Bytes bytes, @Nullable Place place) {
    this.name = name;
    this.format = format;
    this.shape = List.copyOf(shape);
    this.bytes = bytes;
    this.place = place;
  }

  /**
   * Creates a tensor over {@code data}, which must match the shape and stay valid.
   *
   * @param shape dimensions; empty for a scalar
   */
  public StoredTensor(String name, TensorFormat format, List<Long> shape, MemorySegment data) {
    this(name, format, shape, (from, length, arena) -> data.asSlice(from, length), null);
    if (data.byteSize() != size() * format.bytes()) {
      throw new IllegalArgumentException(
          name + ": " + data.byteSize() + " bytes for " + format + shape);
    }
  }

  /**
   * Returns the tensor of that format and shape at {@code offset} of {@code file}.
   *
   * @param channel the open file
   */
  static StoredTensor of(
      String name,
      TensorFormat format,
      List<Long> shape,
      Path file,
      FileChannel channel,
      long offset) {
    boolean aligned = offset % format.bytes() == 0;
    return new StoredTensor(
        name,
        format,
        shape,
        (from, length, arena) -> channel.map(MapMode.READ_ONLY, offset + from, length, arena),
        aligned ? new Place(file.toAbsolutePath().toString(), offset / format.bytes()) : null);
  }

  /** Returns a tensor whose numbers are read part by part on demand. */
  public static StoredTensor read(
      String name, TensorFormat format, List<Long> shape, NumberReader numbers) {
    return new StoredTensor(
        name,
        format,
        shape,
        (from, length, arena) -> {
          MemorySegment part = arena.allocate(length, Float.BYTES);
          numbers.read(from / format.bytes(), part);
          return part;
        },
        null);
  }

  /** Provides the numbers of a tensor. */
  @ConsumerType
  @FunctionalInterface
  public interface NumberReader {
    /** Fills {@code target} with numbers, from number {@code first} on. */
    void read(long first, MemorySegment target);
  }

  /** Returns this tensor under another name. */
  public StoredTensor named(String other) {
    return new StoredTensor(other, format, shape, bytes, place);
  }

  /**
   * Returns a tensor of shape {@code part} with the numbers of this one from number {@code first}
   * on.
   */
  StoredTensor part(String other, long first, List<Long> part) {
    long skipped = first * format.bytes();
    return new StoredTensor(
        other,
        format,
        part,
        (from, length, arena) -> bytes.map(skipped + from, length, arena),
        place == null ? null : new Place(place.file(), place.first() + first));
  }

  /**
   * Returns a matrix of shape [rows, columns] whose number at row r and column c is number {@code
   * first + c · stride + r} of this tensor: a part of its transpose.
   */
  StoredTensor transposed(String other, long first, int rows, int columns, long stride) {
    int width = format.bytes();
    return new StoredTensor(
        other,
        format,
        List.of((long) rows, (long) columns),
        (from, length, arena) -> {
          MemorySegment part = arena.allocate(length, Float.BYTES);
          MemorySegment all =
              bytes.map(first * width, ((columns - 1) * stride + rows) * width, arena);
          for (long to = 0; to < length; to += width) {
            long number = (from + to) / width;
            long at = number % columns * stride + number / columns;
            MemorySegment.copy(all, at * width, part, to, width);
          }
          return part;
        },
        null);
  }

  /**
   * The location of a tensor in a file, for direct mapping.
   *
   * @param file path of the file
   * @param first offset in numbers of its size
   */
  public record Place(String file, long first) {}

  /**
   * Returns the stored tensor's location, or null if it is in memory or not aligned to its number
   * size.
   */
  public @Nullable Place place() {
    return place;
  }

  /** Returns the stored tensor's name. */
  public String name() {
    return name;
  }

  /** Returns the stored tensor's number format. */
  public TensorFormat format() {
    return format;
  }

  /** Returns the stored tensor's dimensions; empty for a scalar. */
  public List<Long> shape() {
    return shape;
  }

  /** Returns the number of elements of the tensor. */
  public long size() {
    return shape.stream().reduce(1L, Math::multiplyExact);
  }

  /**
   * Returns its bytes without a copy: a file is mapped while {@code arena} lives.
   *
   * @throws UserException if the file has become shorter, or its {@link Safetensors} is closed
   */
  public MemorySegment map(Arena arena) {
    return map(0, size(), arena);
  }

  private MemorySegment map(long first, long count, Arena arena) {
    try {
      return bytes.map(first * format.bytes(), count * format.bytes(), arena);
    } catch (IOException failure) {
      throw new UserException(
          "tensor '%s' cannot be read any more (%s)".formatted(name, failure.getMessage()),
          failure);
    }
  }

  /**
   * Copies elements as 32-bit floats, exactly, into {@code target} (native byte order).
   *
   * @param first the first element to copy
   * @param target filled with elements
   * @throws IllegalStateException if the format is not F32, F16 or BF16
   */
  public void readFloats(long first, MemorySegment target) {
    long count = target.byteSize() / Float.BYTES;
    ValueLayout.OfFloat floats = ValueLayout.JAVA_FLOAT_UNALIGNED;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = map(first, count, arena);
      switch (format) {
        case F32 -> MemorySegment.copy(data, FLOAT, 0, target, floats, 0, count);
        case F16, BF16 -> {
          for (long i = 0; i < count; i++) {
            target.set(floats, i * Float.BYTES, format.widen(data.get(SHORT, i * Short.BYTES)));
          }
        }
        default -> throw new IllegalStateException(name + " is " + format + ", not floating point");
      }
    }
  }

  /**
   * Converts elements of this F32 tensor into {@code target}, little-endian, for a file.
   *
   * @param first the first element to convert
   * @param wanted F32, F16 or BF16
   * @param target filled with elements
   */
  void writeFloats(long first, TensorFormat wanted, MemorySegment target) {
    long count = target.byteSize() / wanted.bytes();
    if (wanted != format && (format != TensorFormat.F32 || !wanted.isFloat())) {
      throw new IllegalStateException(name + ": cannot store " + format + " as " + wanted);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = map(first, count, arena);
      if (wanted == format) {
        MemorySegment.copy(data, 0, target, 0, data.byteSize());
        return;
      }
      for (long i = 0; i < count; i++) {
        short half = wanted.narrow(data.get(FLOAT, i * Float.BYTES));
        target.set(SHORT, i * Short.BYTES, half);
      }
    }
  }

  /** The source of the bytes of a stored tensor. */
  private interface Bytes {
    MemorySegment map(long from, long length, Arena arena) throws IOException;
  }
}
