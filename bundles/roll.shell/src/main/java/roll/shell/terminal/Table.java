package roll.shell.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import roll.text.TerminalText;

/** A text table: columns as wide as their longest cell, separated by two spaces. */
public final class Table {
  private static final int GAP = 2;

  /** Minimum width for wrapping the last column. */
  private static final int MIN_ROOM = 20;

  private final List<String[]> rows = new ArrayList<>();

  /** Adds a row; all rows have the same number of cells. */
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

  /** Returns the lines, wrapped to the terminal if they go to one, without a final line end. */
  @Override
  public String toString() {
    return within(TerminalWidth.here());
  }

  /** Returns the lines of the table without wrapping. */
  public String unbounded() {
    return within(TerminalWidth.UNBOUNDED);
  }

  /** Returns the lines; the last column is wrapped at {@code width}. */
  String within(int width) {
    int columns = rows.isEmpty() ? 0 : rows.getFirst().length;
    int[] widths = new int[columns];
    for (String[] row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    int last = columns - 1;
    int before = IntStream.range(0, Math.max(last, 0)).map(i -> widths[i] + GAP).sum();
    int room = width - before;
    List<String> lines = new ArrayList<>();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < last; i++) {
        line.append(row[i]).append(" ".repeat(widths[i] - row[i].length() + GAP));
      }
      String cell = last < 0 ? "" : row[last];
      boolean whole = cell.length() <= room || room < MIN_ROOM;
      line.append(whole ? cell : wrapped(cell, room, "\n" + " ".repeat(before)));
      lines.add(line.toString().stripTrailing());
    }
    return String.join("\n", lines);
  }

  private static String wrapped(String cell, int room, String next) {
    StringBuilder wrapped = new StringBuilder();
    int used = 0;
    for (String word : cell.split(" ", -1)) {
      if (used > 0 && used + 1 + word.length() > room) {
        wrapped.append(next);
        used = 0;
      } else if (used > 0) {
        wrapped.append(' ');
        used++;
      }
      wrapped.append(word);
      used += word.length();
    }
    return wrapped.toString();
  }
}
