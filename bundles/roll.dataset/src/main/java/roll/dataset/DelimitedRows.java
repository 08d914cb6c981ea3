package roll.dataset;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.dataset.Row;
import roll.api.option.UserException;

/**
 * Values with commas or tabs between them, under a line of names, as RFC 4180 has them: in quotes a
 * value may have line breaks and the separator, and a quote stands twice. Values are texts; one
 * that is empty is left out.
 */
final class DelimitedRows {
  private final Path file;
  private final BufferedReader text;
  private final char separator;
  private long line = 1;

  private DelimitedRows(Path file, BufferedReader text, char separator) {
    this.file = file;
    this.text = text;
    this.separator = separator;
  }

  /** Reads all rows of {@code file}, whose values are separated by {@code separator}. */
  static List<Row> read(Path file, char separator) {
    try (BufferedReader text = FileFormats.text(file)) {
      return new DelimitedRows(file, text, separator).rows();
    } catch (CharacterCodingException e) {
      throw new UserException(file + ": not UTF-8 text", e);
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read (" + e.getMessage() + ")", e);
    }
  }

  private List<Row> rows() throws IOException {
    List<String> names = record();
    if (names == null) {
      return List.of();
    }
    if (new HashSet<>(names).size() < names.size()) {
      throw new UserException(file + ":1: a name stands twice: " + String.join(", ", names));
    }
    List<Row> rows = new ArrayList<>();
    while (true) {
      long begin = line;
      List<String> values = record();
      if (values == null) {
        return rows;
      }
      if (values.size() == 1 && values.getFirst().isEmpty()) {
        continue; // a blank line
      }
      if (values.size() != names.size()) {
        throw new UserException(
            "%s:%d: %d values under %d names (%s)"
                .formatted(file, begin, values.size(), names.size(), String.join(", ", names)));
      }
      Map<String, Object> fields = new LinkedHashMap<>();
      for (int i = 0; i < names.size(); i++) {
        if (!values.get(i).isEmpty()) {
          fields.put(names.get(i), values.get(i));
        }
      }
      rows.add(new Row(file, begin, fields));
    }
  }

  /** The values up to the end of a line outside of quotes; null at the end. */
  private @Nullable List<String> record() throws IOException {
    int next = text.read();
    if (next < 0) {
      return null;
    }
    List<String> values = new ArrayList<>();
    StringBuilder value = new StringBuilder();
    while (true) {
      if (next == '"' && value.isEmpty()) {
        next = quoted(value);
      }
      while (next >= 0 && next != separator && next != '\n') {
        value.append((char) next);
        next = text.read();
      }
      boolean ended = next != separator;
      int length = value.length();
      if (ended && length > 0 && value.charAt(length - 1) == '\r') {
        value.setLength(length - 1);
      }
      values.add(value.toString());
      if (ended) {
        line++;
        return values;
      }
      value.setLength(0);
      next = text.read();
    }
  }

  /** Reads up to the quote that ends a value; returns the character after it. */
  private int quoted(StringBuilder value) throws IOException {
    long begin = line;
    while (true) {
      int next = text.read();
      if (next < 0) {
        throw new UserException(file + ":" + begin + ": a quote without its end");
      }
      if (next == '"') {
        next = text.read();
        if (next != '"') {
          return next;
        }
      } else if (next == '\n') {
        line++;
      }
      value.append((char) next);
    }
  }
}
