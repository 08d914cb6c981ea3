package roll.dataset;

import io.airlift.compress.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import roll.api.dataset.Row;
import roll.api.option.UserException;

/** Detects the format of a data file from its name. */
final class FileFormats {
  private static final char MARK = '\uFEFF';
  private static final String GZIP = ".gz";
  private static final String ZSTD = ".zst";
  private static final List<String> TEXTS = List.of("json", "jsonl", "ndjson", "csv", "tsv");

  private FileFormats() {}

  /**
   * Reads all rows of the data file {@code file}. A {@code .json} file is a list; one whose text
   * begins otherwise is read line by line. Texts may be compressed.
   *
   * @throws UserException naming file and line of what cannot be read, or a format not known
   */
  static List<Row> read(Path file) {
    return switch (ending(file)) {
      case "json" -> JsonList.is(file) ? JsonList.read(file) : JsonLines.read(file);
      case "jsonl", "ndjson" -> JsonLines.read(file);
      case "csv" -> DelimitedRows.read(file, ',');
      case "tsv" -> DelimitedRows.read(file, '\t');
      case "parquet" -> ParquetRows.read(file);
      case "arrow" -> ArrowRows.read(file);
      default ->
          throw new UserException(
              file
                  + ": not a data set by its name; expected .json, .jsonl, .ndjson, .csv or .tsv,"
                  + " each also with .gz or .zst behind it, .parquet or .arrow");
    };
  }

  /** Returns the uncompressed bytes of {@code file}. */
  static InputStream bytes(Path file) throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    try {
      String name = name(file);
      return name.endsWith(GZIP)
          ? new BufferedInputStream(new GZIPInputStream(in), 1 << 16)
          : name.endsWith(ZSTD) ? new BufferedInputStream(new ZstdInputStream(in), 1 << 16) : in;
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  /** Returns the text of {@code file} without its byte order mark; fails if it is not UTF-8. */
  static BufferedReader text(Path file) throws IOException {
    BufferedReader text =
        new BufferedReader(new InputStreamReader(bytes(file), StandardCharsets.UTF_8.newDecoder()));
    text.mark(1);
    if (text.read() != MARK) {
      text.reset();
    }
    return text;
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
  }

  /** Returns the lower-case extension of a file's name, without the extension of a compression. */
  static String ending(Path file) {
    String name = name(file);
    for (String packed : List.of(GZIP, ZSTD)) {
      String inner = name.endsWith(packed) ? name.substring(0, name.lastIndexOf('.')) : "";
      String ending = inner.substring(inner.lastIndexOf('.') + 1);
      if (TEXTS.contains(ending)) {
        return ending;
      }
    }
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
