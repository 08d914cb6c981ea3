package roll.bench.llamacpp;

import java.io.Reader;
import java.nio.CharBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/**
 * Finds the tools' tables among the lines of a text. Each form begins in its own way, so several
 * may follow each other: Markdown with |, an object of JSON with { and a list with [, CSV with the
 * names of its columns. Other lines are the tools' log.
 */
final class LlamaScan {
  /** What may be in a file. */
  static final String EXPECTED =
      "a table of llama-bench (md, csv, json, jsonl) or llama-batched-bench (md, jsonl)";

  private static final Pattern RULE = Pattern.compile("\\s*:?-+:?\\s*");
  private static final Pattern LIST = Pattern.compile("\\[\\s*(?:\\{.*)?");

  /** More than either tool has; what else is between bars is one more. */
  private static final int MOST_COLUMNS = 100;

  private final String file;
  private final String text;
  private final LlamaLog log;
  private final List<LlamaFigure> figures = new ArrayList<>();
  private @Nullable Header header;
  private int next;
  private int number;

  private record Header(LlamaDialect dialect, List<String> columns, boolean csv) {}

  /** Reads {@code text}, which {@code file} has. */
  LlamaScan(String file, String text, LlamaLog log) {
    this.file = file;
    this.text = text;
    this.log = log;
  }

  /**
   * All figures, in their order; at least one.
   *
   * @throws UserException at the first line that is broken, or if there are no figures
   */
  List<LlamaFigure> figures() {
    while (next < text.length()) {
      int begin = next;
      read(line(), begin, new LlamaPlace(file, number));
    }
    if (figures.isEmpty()) {
      String found = text.isBlank() ? "nothing" : header == null ? "no table" : "no row";
      throw new LlamaPlace(file, 0).mistake(found, EXPECTED);
    }
    return List.copyOf(figures);
  }

  private String line() {
    int end = text.indexOf('\n', next);
    String line = text.substring(next, end < 0 ? text.length() : end).strip();
    next = end < 0 ? text.length() : end + 1;
    number++;
    return line;
  }

  private void read(String line, int begin, LlamaPlace place) {
    if (line.startsWith("|")) {
      table(line, place);
    } else if (line.startsWith("{")) {
      add(JsonRows.object(line, place));
    } else if (LIST.matcher(line).matches()) {
      list(begin, place);
    } else if (line.contains("n_prompt,n_gen")) {
      List<String> columns = CsvLine.split(line);
      LlamaDialect dialect = columns == null ? null : LlamaDialect.of(columns);
      if (columns == null || dialect == null) {
        throw place.mistake("CSV columns " + LlamaPlace.brief(line), EXPECTED);
      }
      header = new Header(dialect, columns, true);
    } else if (header != null && header.csv() && !line.isEmpty()) {
      row(header, CsvLine.split(line), place);
    } else {
      log.read(place, line);
    }
  }

  private void table(String line, LlamaPlace place) {
    List<String> cells = new ArrayList<>();
    for (String cell : line.substring(1).split("\\|", MOST_COLUMNS)) {
      cells.add(cell.strip());
    }
    boolean whole = cells.removeLast().isEmpty();
    LlamaDialect dialect = LlamaDialect.of(cells);
    if (whole && dialect != null) {
      header = new Header(dialect, cells, false);
    } else if (header == null || header.csv()) {
      throw place.mistake("a table that begins with " + LlamaPlace.brief(line), EXPECTED);
    } else if (!whole || !cells.stream().allMatch(cell -> RULE.matcher(cell).matches())) {
      row(header, whole ? cells : null, place);
    }
  }

  /** {@code cells} is null where the line is not whole. */
  private void row(Header under, @Nullable List<String> cells, LlamaPlace place) {
    int columns = under.columns().size();
    if (cells == null || cells.size() != columns) {
      String found = cells == null ? "a row that is cut off" : cells.size() + " columns";
      throw place.mistake(found, columns + " columns");
    }
    Map<String, String> row = new LinkedHashMap<>();
    for (int i = 0; i < columns; i++) {
      row.put(under.columns().get(i), cells.get(i));
    }
    figures.addAll(under.dialect().figures(new LlamaRow(place, row), log));
  }

  private void list(int begin, LlamaPlace place) {
    Reader rest = Reader.of(CharBuffer.wrap(text, begin, text.length()));
    int lines = JsonRows.list(rest, place, this::add);
    for (int i = 1; i < lines; i++) {
      line();
    }
  }

  private void add(LlamaRow row) {
    LlamaDialect dialect = LlamaDialect.of(row.cells().keySet());
    if (dialect == null) {
      String found = "an object with " + LlamaPlace.brief(String.join(", ", row.cells().keySet()));
      throw row.place().mistake(found, EXPECTED);
    }
    figures.addAll(dialect.figures(row, log));
  }
}
