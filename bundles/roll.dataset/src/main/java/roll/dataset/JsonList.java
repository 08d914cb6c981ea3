package roll.dataset;

import com.google.gson.stream.JsonReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import roll.api.dataset.Row;
import roll.api.option.UserException;

/** Reads a JSON list of mappings with any layout. */
final class JsonList {
  private JsonList() {}

  /** Whether {@code file} begins with a JSON list. */
  static boolean is(Path file) {
    try (BufferedReader text = FileFormats.text(file)) {
      int first = text.read();
      while (Character.isWhitespace(first)) {
        first = text.read();
      }
      return first == '[';
    } catch (CharacterCodingException e) {
      return false; // the line is found by who reads lines
    } catch (IOException e) {
      throw broken(file, e);
    }
  }

  /** Reads all rows of the JSON list {@code file}. */
  static List<Row> read(Path file) {
    List<Row> rows = new ArrayList<>();
    try (JsonReader reader = RowJson.strict(FileFormats.text(file))) {
      reader.beginArray();
      while (reader.hasNext()) {
        long line = RowJson.line(reader);
        rows.add(new Row(file, line, RowJson.mapping(reader, file + ":" + line)));
      }
      reader.endArray();
      if (RowJson.more(reader)) {
        throw new UserException(file + ":" + RowJson.line(reader) + ": more follows the list");
      }
    } catch (CharacterCodingException e) {
      throw new UserException(file + ": not UTF-8 text", e);
    } catch (IOException | IllegalStateException e) {
      throw broken(file, e);
    }
    return rows;
  }

  private static UserException broken(Path file, Exception e) {
    long line = RowJson.line(e, 0);
    return line > 0
        ? new UserException(file + ":" + line + ": " + RowJson.problem(e), e)
        : new UserException(file + ": cannot be read (" + e.getMessage() + ")", e);
  }
}
