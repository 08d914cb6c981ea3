package roll.dataset;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.dataset.ArrowField.Kind;

/** A record batch of Arrow, column by column; a missing value is null. */
final class ArrowBatch {
  private final ByteBuffer body;
  private final Iterator<long[]> nodes;
  private final Iterator<long[]> buffers;

  /** Creates the record batch with the metadata {@code header} and the buffers {@code body}. */
  ArrowBatch(FlatTable header, ByteBuffer body) throws IOException {
    if (header.table(3) != null) {
      throw new IOException("its batches are compressed, which is not read");
    }
    this.body = body;
    this.nodes = header.pairs(1).iterator();
    this.buffers = header.pairs(2).iterator();
  }

  /** Checks a number of rows against the buffer size: a value takes at least one bit. */
  private void few(int count) {
    if (count > 8L * body.limit()) {
      throw new IllegalArgumentException("a batch has fewer values than it says");
    }
  }

  private ByteBuffer buffer() {
    long[] place = buffers.next();
    return body.slice(Math.toIntExact(place[0]), Math.toIntExact(place[1]))
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the values of the next column, which is {@code field}. */
  List<@Nullable Object> column(ArrowField field) {
    int count = Math.toIntExact(nodes.next()[0]);
    if (field.kind() == Kind.NULL) {
      return Collections.nCopies(count, null);
    }
    few(count);
    ByteBuffer valid = buffer();
    List<@Nullable Object> values = values(field, count);
    if (valid.limit() > 0) {
      for (int i = 0; i < count; i++) {
        if (!bit(valid, i)) {
          values.set(i, null);
        }
      }
    }
    return values;
  }

  private List<@Nullable Object> values(ArrowField field, int count) {
    return switch (field.kind()) {
      case BOOL -> {
        ByteBuffer bits = buffer();
        yield all(count, i -> bit(bits, i));
      }
      case TEXT, BINARY -> texts(count, false);
      case LARGE_TEXT, LARGE_BINARY -> texts(count, true);
      case FIXED_BINARY -> {
        ByteBuffer data = buffer();
        yield all(count, i -> text(data, (long) i * field.width(), (i + 1L) * field.width()));
      }
      case LIST, MAP, LARGE_LIST -> lists(field, count);
      case FIXED_LIST -> {
        List<@Nullable Object> items = column(field.children().getFirst());
        yield all(count, i -> some(items, (long) i * field.width(), (i + 1L) * field.width()));
      }
      case STRUCT -> new ArrayList<>(records(field.children(), count));
      default -> {
        ByteBuffer data = buffer();
        yield all(count, i -> number(field, data, i));
      }
    };
  }

  /** Values of an Arrow column by row. */
  private interface Values {
    Object at(int i);
  }

  private static List<@Nullable Object> all(int count, Values values) {
    List<@Nullable Object> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(values.at(i));
    }
    return all;
  }

  private static boolean bit(ByteBuffer bits, int i) {
    return (bits.get(i >> 3) >> (i & 7) & 1) == 1;
  }

  private static long offset(ByteBuffer offsets, int i, boolean large) {
    return large ? offsets.getLong(8 * i) : offsets.getInt(4 * i);
  }

  private List<@Nullable Object> texts(int count, boolean large) {
    ByteBuffer offsets = buffer();
    ByteBuffer data = buffer();
    return all(count, i -> text(data, offset(offsets, i, large), offset(offsets, i + 1, large)));
  }

  private static String text(ByteBuffer data, long from, long to) {
    byte[] bytes = new byte[Math.toIntExact(to - from)];
    data.get(Math.toIntExact(from), bytes);
    return ParquetValues.text(bytes);
  }

  private List<@Nullable Object> lists(ArrowField field, int count) {
    ByteBuffer offsets = buffer();
    boolean large = field.kind() == Kind.LARGE_LIST;
    List<@Nullable Object> items = column(field.children().getFirst());
    return all(
        count,
        i -> {
          List<Object> some = some(items, offset(offsets, i, large), offset(offsets, i + 1, large));
          return field.kind() == Kind.MAP ? map(field, some) : some;
        });
  }

  /** Returns the items that are not null. */
  private static List<Object> some(List<@Nullable Object> items, long from, long to) {
    List<Object> some = new ArrayList<>();
    for (Object item : items.subList(Math.toIntExact(from), Math.toIntExact(to))) {
      if (item != null) {
        some.add(item);
      }
    }
    return some;
  }

  private static Map<String, Object> map(ArrowField field, List<Object> entries) {
    List<ArrowField> names = field.children().getFirst().children();
    Map<String, Object> map = new LinkedHashMap<>();
    for (Object entry : entries) {
      Map<?, ?> pair = (Map<?, ?>) entry;
      Object value = pair.get(names.get(1).name());
      if (value != null) {
        map.put(String.valueOf(pair.get(names.get(0).name())), value);
      }
    }
    return map;
  }

  /** Returns the non-null fields of {@code columns}, record by record. */
  List<Map<String, Object>> records(List<ArrowField> columns, int count) {
    few(count);
    List<Map<String, Object>> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      records.add(new LinkedHashMap<>());
    }
    for (ArrowField column : columns) {
      List<@Nullable Object> values = column(column);
      for (int i = 0; i < count; i++) {
        Object value = values.get(i);
        if (value != null) {
          records.get(i).put(column.name(), value);
        }
      }
    }
    return records;
  }

  /** Returns number {@code i} of a column: a Double, a Long, or text for an integer beyond Long. */
  private static Object number(ArrowField field, ByteBuffer data, int i) {
    if (field.kind() == Kind.FLOAT) {
      return switch (field.width()) {
        case 16 -> (double) Float.float16ToFloat(data.getShort(2 * i));
        case 32 -> (double) data.getFloat(4 * i);
        default -> data.getDouble(8 * i);
      };
    }
    boolean signed = field.signed();
    long number =
        switch (field.width()) {
          case 8 -> signed ? data.get(i) : data.get(i) & 0xFF;
          case 16 -> signed ? data.getShort(2 * i) : data.getShort(2 * i) & 0xFFFF;
          case 32 -> signed ? data.getInt(4 * i) : data.getInt(4 * i) & 0xFFFF_FFFFL;
          default -> data.getLong(8 * i);
        };
    return signed || number >= 0 ? (Object) number : Long.toUnsignedString(number);
  }
}
