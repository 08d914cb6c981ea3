package roll.dataset;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table of a flatbuffer, in which Arrow writes its metadata. What lies outside of the buffer is
 * an {@link IndexOutOfBoundsException}.
 *
 * @param bytes little-endian
 * @param at where the table begins
 */
record FlatTable(ByteBuffer bytes, int at) {
  /** Returns the root table of the flatbuffer {@code bytes}. */
  static FlatTable root(ByteBuffer bytes) {
    return new FlatTable(bytes, bytes.getInt(0));
  }

  /** Returns the position of the value of {@code field}; 0 if it has its default. */
  private int place(int field) {
    int table = at - bytes.getInt(at);
    int entry = 4 + 2 * field;
    int offset = entry < bytes.getShort(table) ? bytes.getShort(table + entry) : 0;
    return offset == 0 ? 0 : at + offset;
  }

  int int8(int field, int otherwise) {
    int place = place(field);
    return place == 0 ? otherwise : bytes.get(place);
  }

  int int16(int field, int otherwise) {
    int place = place(field);
    return place == 0 ? otherwise : bytes.getShort(place);
  }

  int int32(int field, int otherwise) {
    int place = place(field);
    return place == 0 ? otherwise : bytes.getInt(place);
  }

  long int64(int field, long otherwise) {
    int place = place(field);
    return place == 0 ? otherwise : bytes.getLong(place);
  }

  @Nullable FlatTable table(int field) {
    int place = place(field);
    return place == 0 ? null : new FlatTable(bytes, place + bytes.getInt(place));
  }

  /** Returns a text of the table, or an empty one if it is absent. */
  String text(int field) {
    int place = place(field);
    if (place == 0) {
      return "";
    }
    int start = place + bytes.getInt(place);
    byte[] text = new byte[bytes.getInt(start)];
    bytes.get(start + 4, text);
    return new String(text, StandardCharsets.UTF_8);
  }

  List<FlatTable> tables(int field) {
    List<FlatTable> tables = new ArrayList<>();
    int place = place(field);
    if (place > 0) {
      int vector = place + bytes.getInt(place);
      for (int i = 0; i < bytes.getInt(vector); i++) {
        int entry = vector + 4 + 4 * i;
        tables.add(new FlatTable(bytes, entry + bytes.getInt(entry)));
      }
    }
    return tables;
  }

  /** Pairs of numbers of 64 bits. */
  List<long[]> pairs(int field) {
    List<long[]> pairs = new ArrayList<>();
    int place = place(field);
    if (place > 0) {
      int vector = place + bytes.getInt(place);
      for (int i = 0; i < bytes.getInt(vector); i++) {
        int entry = vector + 4 + 16 * i;
        pairs.add(new long[] {bytes.getLong(entry), bytes.getLong(entry + 8)});
      }
    }
    return pairs;
  }
}
