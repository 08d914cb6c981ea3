package roll.env.frozen_lake;

import java.util.Map;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.grid.GridWorld;

/**
 * The symbols of the text of a lake.
 *
 * @param player player on ice
 * @param ice ice
 * @param hole hole
 * @param goal goal
 * @param fallen player in a hole
 * @param arrived player on the goal
 */
record LakeSymbols(
    String player, String ice, String hole, String goal, String fallen, String arrived) {
  /** The numbers of Gymnasium's letters in {@link GridWorld#SYMBOLS}. */
  static final Option<Map<String, String>> LETTERS =
      Option.mapping("map_lookup", "number of the symbol of player, frozen, hole and goal")
          .withDefault(GridWorld.ordered("P", "0", "F", "1", "H", "2", "G", "3"));

  /** Returns the symbols of {@code map_lookup} and {@code grid_lookup}. */
  static LakeSymbols of(Options options) {
    Map<String, String> grid = options.get(GridWorld.SYMBOLS);
    return new LakeSymbols(
        symbol(options, grid, "P"),
        symbol(options, grid, "F"),
        symbol(options, grid, "H"),
        symbol(options, grid, "G"),
        symbol(options, grid, 4),
        symbol(options, grid, 5));
  }

  private static String symbol(Options options, Map<String, String> grid, String letter) {
    String number = options.get(LETTERS).get(letter);
    String symbol = number == null ? null : grid.get(number);
    if (symbol == null) {
      throw options.wrong(LETTERS, "numbers of grid_lookup for P, F, H and G");
    }
    return symbol;
  }

  private static String symbol(Options options, Map<String, String> grid, int number) {
    String symbol = grid.get(String.valueOf(number));
    if (symbol == null) {
      throw options.wrong(GridWorld.SYMBOLS, "a symbol for each number from 0 to 5");
    }
    return symbol;
  }

  /** Returns the rows of the lake, one symbol per cell. */
  String text(LakeMap map, int position) {
    StringBuilder text = new StringBuilder();
    for (int cell = 0; cell < map.holes().length; cell++) {
      if (cell > 0 && cell % map.size() == 0) {
        text.append('\n');
      }
      text.append(symbol(map, cell, position));
    }
    return text.toString();
  }

  private String symbol(LakeMap map, int cell, int position) {
    if (cell == map.goal()) {
      return cell == position ? arrived : goal;
    }
    if (map.holes()[cell]) {
      return cell == position ? fallen : hole;
    }
    return cell == position ? player : ice;
  }
}
