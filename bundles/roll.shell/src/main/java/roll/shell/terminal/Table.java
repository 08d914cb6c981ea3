package roll.shell.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import roll.text.TerminalText;

/** Text in columns as wide as their longest cell, two spaces between them. */
public final class Table {
  private final List<String[]> rows = new ArrayList<>();

  /** Adds a row; all rows have equally many cells. */
  public Table row(String... cells) {
    rows.add(Arrays.stream(cells).map(TerminalText::escaped).toArray(String[]::new));
    return this;
  }

  /** Sorts the rows after the first, the heading, by their cells from left to right. */
  public Table sorted() {
    if (!rows.isEmpty()) {
      rows.subList(1, rows.size()).sort((a, b) -> Arrays.compare(a, b));
    }
    return this;
  }

  /** The lines, without a line end after the last. */
  @Override
  public String toString() {
    int columns = rows.isEmpty() ? 0 : rows.getFirst().length;
    int[] widths = new int[columns];
    for (String[] row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append(row[i]).append(" ".repeat(widths[i] - row[i].length() + 2));
      }
      lines.add(line.toString().stripTrailing());
    }
    return String.join("\n", lines);
  }
}
