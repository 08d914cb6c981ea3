package roll.env.sokoban;

import java.util.Map;
import roll.api.option.Options;
import roll.grid.GridWorld;

/** The symbols of the text of a board. */
final class BoardSymbols {
  private static final int KINDS = 7;

  private final String[] symbols = new String[KINDS];

  /** Creates the board symbols and reads the symbols of {@code grid_lookup}. */
  BoardSymbols(Options options) {
    Map<String, String> given = options.get(GridWorld.SYMBOLS);
    for (int kind = 0; kind < KINDS; kind++) {
      String symbol = given.get(String.valueOf(kind));
      if (symbol == null || given.size() != KINDS) {
        throw options.wrong(GridWorld.SYMBOLS, "a symbol for each number from 0 to 6");
      }
      symbols[kind] = symbol;
    }
  }

  /** Returns the rows of the room, one symbol per cell. */
  String text(Board board) {
    int columns = board.level().columns();
    int cells = board.level().walls().length;
    StringBuilder text = new StringBuilder(cells + cells / columns);
    for (int cell = 0; cell < cells; cell++) {
      if (cell > 0 && cell % columns == 0) {
        text.append('\n');
      }
      text.append(symbols[board.content(cell)]);
    }
    return text.toString();
  }
}
