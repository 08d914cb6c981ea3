package roll.dataset;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import roll.api.dataset.Row;
import roll.api.option.UserException;

/** What a file is, told by the end of its name. */
final class FileFormats {
  private FileFormats() {}

  /**
   * All rows of {@code file}. A {@code .json} file is a list; one whose text begins otherwise is
   * read line by line.
   *
   * @throws UserException naming file and line of what cannot be read, or a format not known
   */
  static List<Row> read(Path file) {
    return switch (ending(file)) {
      case "json" -> JsonList.is(file) ? JsonList.read(file) : JsonLines.read(file);
      case "jsonl", "ndjson" -> JsonLines.read(file);
      case "parquet" -> ParquetRows.read(file);
      default ->
          throw new UserException(
              file + ": not a data set by its name; expected .json, .jsonl, .ndjson or .parquet");
    };
  }

  /** What follows the last dot of its name, in small letters. */
  static String ending(Path file) {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
