package roll.bench.llamacpp;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A line of CSV: fields between commas, in quotes or not, a quote in quotes doubled. */
final class CsvLine {
  private CsvLine() {}

  /** The fields of {@code line}; null where a quote is open at its end or closed too early. */
  static @Nullable List<String> split(String line) {
    List<String> fields = new ArrayList<>();
    int at = 0;
    while (true) {
      int end;
      if (at < line.length() && line.charAt(at) == '"') {
        end = closing(line, at + 1);
        if (end < 0 || (end + 1 < line.length() && line.charAt(end + 1) != ',')) {
          return null;
        }
        fields.add(line.substring(at + 1, end).replace("\"\"", "\""));
        end++;
      } else {
        int comma = line.indexOf(',', at);
        end = comma < 0 ? line.length() : comma;
        fields.add(line.substring(at, end));
      }
      if (end >= line.length()) {
        return fields;
      }
      at = end + 1;
    }
  }

  /** Where the quote is that closes what begins at {@code at}; −1 if there is none. */
  private static int closing(String line, int at) {
    int quote = line.indexOf('"', at);
    while (quote >= 0 && quote + 1 < line.length() && line.charAt(quote + 1) == '"') {
      quote = line.indexOf('"', quote + 2);
    }
    return quote;
  }
}
