package roll.dataset;

import com.google.gson.stream.JsonReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import roll.api.dataset.Row;
import roll.api.option.UserException;

/** One JSON mapping per line; blank lines and a byte order mark are passed over. */
final class JsonLines {
  private static final String MARK = "\uFEFF";

  private JsonLines() {}

  /** Reads all rows of the JSON lines file {@code file}. */
  static List<Row> read(Path file) {
    List<Row> rows = new ArrayList<>();
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    long number = 1;
    try (InputStream in = FileFormats.bytes(file)) {
      for (int next = in.read(); next >= 0; next = in.read()) {
        if (next == '\n') {
          add(rows, file, number, line);
          number++;
        } else {
          line.write(next);
        }
      }
      add(rows, file, number, line);
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read (" + e.getMessage() + ")", e);
    }
    return rows;
  }

  private static void add(List<Row> rows, Path file, long number, ByteArrayOutputStream bytes) {
    String where = file + ":" + number;
    String text = text(bytes.toByteArray(), where);
    bytes.reset();
    if (number == 1 && text.startsWith(MARK)) {
      text = text.substring(1);
    }
    if (text.isBlank()) {
      return;
    }
    JsonReader reader = RowJson.strict(new StringReader(text));
    try {
      rows.add(new Row(file, number, RowJson.mapping(reader, where)));
      if (RowJson.more(reader)) {
        throw new UserException(where + ": more than one JSON value on the line");
      }
    } catch (IOException | IllegalStateException e) {
      throw new UserException(where + ": " + RowJson.problem(e), e);
    }
  }

  private static String text(byte[] bytes, String where) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new UserException(where + ": not UTF-8 text", e);
    }
  }
}
