package roll.env.sokoban;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import roll.api.option.PlainFile;
import roll.api.option.UserException;

/**
 * Parses levels in Boxoban's format: a line {@code ; n}, then the rows ({@code #} wall, {@code @}
 * player, {@code +} player on a target, {@code $} box, {@code *} box on a target, {@code .} target,
 * space floor), then an empty line.
 */
final class LevelFile {
  private static final String SYMBOLS = "#@+$*. ";

  private final String where;
  private final String file;
  private final List<Level> levels = new ArrayList<>();
  private final List<String> rows = new ArrayList<>();
  private int number;

  private LevelFile(String where, String file) {
    this.where = where;
    this.file = file;
  }

  /**
   * Returns all Sokoban levels of {@code file}.
   *
   * @param where the option that names it, for messages
   * @throws UserException with the line, if the file cannot be read or a level is invalid
   */
  static List<Level> read(String where, Path file) {
    try {
      return parse(where, file.toString(), PlainFile.text(file).lines().toList());
    } catch (NoSuchFileException e) {
      throw new UserException(where + ": no file '" + file + "'", e);
    } catch (IOException e) {
      throw new UserException(where + ": '" + file + "' cannot be read as text", e);
    }
  }

  /** Returns the levels of {@code lines}, the content of {@code file}. */
  static List<Level> parse(String where, String file, List<String> lines) {
    LevelFile reader = new LevelFile(where, file);
    for (String line : lines) {
      reader.number++;
      reader.line(line);
    }
    reader.number++;
    reader.end();
    if (reader.levels.isEmpty()) {
      throw reader.wrong(1, "has no level: expected '; 0' and rows of " + SYMBOLS.strip());
    }
    return List.copyOf(reader.levels);
  }

  private void line(String line) {
    if (line.isBlank() || line.startsWith(";")) {
      end();
      return;
    }
    for (int i = 0; i < line.length(); i++) {
      if (SYMBOLS.indexOf(line.charAt(i)) < 0) {
        throw wrong(
            number, "unknown symbol '" + line.charAt(i) + "' (allowed: # @ + $ * . and space)");
      }
    }
    if (!rows.isEmpty() && line.length() != rows.getFirst().length()) {
      throw wrong(
          number,
          "expected "
              + rows.getFirst().length()
              + " symbols as in the row before, found "
              + line.length());
    }
    rows.add(line);
  }

  /** Adds a level of the preceding rows. */
  private void end() {
    if (!rows.isEmpty()) {
      levels.add(level());
      rows.clear();
    }
  }

  private Level level() {
    int first = number - rows.size();
    int columns = rows.getFirst().length();
    String cells = String.join("", rows);
    boolean[] walls = marked(cells, "#");
    boolean[] targets = marked(cells, ".+*");
    boolean[] boxes = marked(cells, "$*");
    for (int cell = 0; cell < cells.length(); cell++) {
      int row = cell / columns;
      int column = cell % columns;
      boolean border = row == 0 || row == rows.size() - 1 || column == 0 || column == columns - 1;
      if (border && !walls[cell]) {
        throw wrong(first + row, "expected # all around the level");
      }
    }
    long players = cells.chars().filter(c -> c == '@' || c == '+').count();
    if (players != 1) {
      throw wrong(first, "expected one player (@ or +) in the level, found " + players);
    }
    long box = cells.chars().filter(c -> c == '$' || c == '*').count();
    long target = cells.chars().filter(c -> c == '.' || c == '+' || c == '*').count();
    if (box == 0 || box != target) {
      throw wrong(first, "expected as many boxes as targets, found " + box + " and " + target);
    }
    if (cells.indexOf('$') < 0) {
      throw wrong(first, "expected a box that is not on a target");
    }
    int player = Math.max(cells.indexOf('@'), cells.indexOf('+'));
    return new Level(rows.size(), columns, walls, targets, boxes, player, new byte[0]);
  }

  private static boolean[] marked(String cells, String symbols) {
    boolean[] marked = new boolean[cells.length()];
    for (int i = 0; i < marked.length; i++) {
      marked[i] = symbols.indexOf(cells.charAt(i)) >= 0;
    }
    return marked;
  }

  private UserException wrong(int line, String what) {
    return new UserException(where + ": " + file + ":" + line + ": " + what);
  }
}
