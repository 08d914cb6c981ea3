package roll.dataset;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A column of an Arrow table.
 *
 * @param kind of its values
 * @param width of a number in bits, or how many items or bytes a value of fixed size has
 * @param signed whether its integers have a sign
 * @param children columns inside
 */
record ArrowField(String name, Kind kind, int width, boolean signed, List<ArrowField> children) {
  private static final int DEEPEST = 64;

  /** Arrow's types, in the order of their numbers, as far as they are read. */
  enum Kind {
    NONE,
    NULL,
    INT,
    FLOAT,
    BINARY,
    TEXT,
    BOOL,
    DECIMAL,
    DATE,
    TIME,
    TIMESTAMP,
    INTERVAL,
    LIST,
    STRUCT,
    UNION,
    FIXED_BINARY,
    FIXED_LIST,
    MAP,
    DURATION,
    LARGE_BINARY,
    LARGE_TEXT,
    LARGE_LIST
  }

  /** Returns the columns that the Arrow schema {@code schema} describes. */
  static List<ArrowField> of(FlatTable schema) throws IOException {
    if (schema.int16(0, 0) != 0) {
      throw new IOException("its numbers are big-endian");
    }
    return fields(schema.tables(1), DEEPEST);
  }

  private static List<ArrowField> fields(List<FlatTable> tables, int depth) throws IOException {
    if (depth == 0) {
      throw new IOException("columns nested more than " + DEEPEST + " deep");
    }
    List<ArrowField> fields = new ArrayList<>();
    for (FlatTable table : tables) {
      fields.add(field(table, depth));
    }
    return fields;
  }

  private static ArrowField field(FlatTable table, int depth) throws IOException {
    String name = table.text(0);
    int number = table.int8(2, 0);
    Kind kind = number < Kind.values().length && number > 0 ? Kind.values()[number] : Kind.NONE;
    if (table.table(4) != null) {
      throw new IOException("column '" + name + "' is encoded by a dictionary, which is not read");
    }
    FlatTable type = Objects.requireNonNull(table.table(3), "a column without a type");
    int width =
        switch (kind) {
          case INT -> type.int32(0, 0);
          case FLOAT -> 16 << type.int16(0, 0);
          case DATE -> type.int16(0, 1) == 0 ? 32 : 64;
          case TIME -> type.int32(1, 32);
          case TIMESTAMP, DURATION -> 64;
          case FIXED_BINARY, FIXED_LIST -> type.int32(0, 0);
          case NONE, DECIMAL, INTERVAL, UNION ->
              throw new IOException(
                  "column '%s' has Arrow's type %d, which is not read".formatted(name, number));
          default -> 0;
        };
    boolean signed = kind != Kind.INT || type.int8(1, 0) != 0;
    return new ArrowField(name, kind, width, signed, fields(table.tables(5), depth - 1));
  }
}
