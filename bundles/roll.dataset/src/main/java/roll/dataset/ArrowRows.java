package roll.dataset;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.dataset.Row;
import roll.api.option.UserException;

/**
 * Arrow's streams, as {@code save_to_disk} of the library datasets writes them, and its files,
 * which are streams between marks.
 */
final class ArrowRows {
  private static final byte[] MARK = "ARROW1\0\0".getBytes(StandardCharsets.US_ASCII);
  private static final int CONTINUED = -1;
  private static final int SCHEMA = 1;
  private static final int DICTIONARY = 2;
  private static final int RECORDS = 3;

  private ArrowRows() {}

  /** Reads all rows of the Arrow file {@code file}. */
  static List<Row> read(Path file) {
    List<Row> rows = new ArrayList<>();
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      in.mark(MARK.length);
      if (!Arrays.equals(in.readNBytes(MARK.length), MARK)) {
        in.reset();
      }
      read(file, in, rows);
    } catch (IOException | RuntimeException e) {
      String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new UserException(file + ": cannot be read as Arrow: " + reason, e);
    }
    return rows;
  }

  private static void read(Path file, InputStream in, List<Row> rows) throws IOException {
    List<ArrowField> fields = null;
    for (FlatTable message = message(in); message != null; message = message(in)) {
      int kind = message.int8(1, 0);
      ByteBuffer body = bytes(in, message.int64(3, 0));
      if (kind == SCHEMA) {
        fields = ArrowField.of(header(message));
      } else if (kind == RECORDS && fields != null) {
        FlatTable header = header(message);
        int count = Math.toIntExact(header.int64(0, 0));
        for (Map<String, Object> record : new ArrowBatch(header, body).records(fields, count)) {
          rows.add(new Row(file, rows.size() + 1L, record));
        }
      } else {
        throw new IOException(
            kind == DICTIONARY
                ? "it has dictionaries, which are not read"
                : "no schema comes first");
      }
    }
    if (fields == null) {
      throw new IOException("it has no schema");
    }
  }

  private static FlatTable header(FlatTable message) throws IOException {
    FlatTable header = message.table(2);
    if (header == null) {
      throw new IOException("a message without a header");
    }
    return header;
  }

  /** Returns the metadata of the next Arrow message; null at the end. */
  private static @Nullable FlatTable message(InputStream in) throws IOException {
    byte[] begin = in.readNBytes(4);
    if (begin.length == 0) {
      return null;
    }
    int length = little(begin).getInt(0);
    if (length == CONTINUED) { // as every writer since 2019 begins a message
      length = bytes(in, 4).getInt(0);
    }
    return length == 0 ? null : FlatTable.root(bytes(in, length));
  }

  private static ByteBuffer bytes(InputStream in, long length) throws IOException {
    byte[] bytes = in.readNBytes(Math.toIntExact(length));
    if (bytes.length < length) {
      throw new EOFException("it ends too early");
    }
    return little(bytes);
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
