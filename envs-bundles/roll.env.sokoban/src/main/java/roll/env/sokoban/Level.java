package roll.env.sokoban;

/**
 * A level: a room and its initial state. Cells are numbered row by row; every border cell is a
 * wall. Arrays are not copied and must not change.
 *
 * @param rows height
 * @param columns width
 * @param walls cells that are walls
 * @param targets targets, as many as boxes
 * @param boxes initial boxes
 * @param player initial cell of the player
 * @param solution directions of the moves that solve the level; empty if unknown
 */
record Level(
    int rows,
    int columns,
    boolean[] walls,
    boolean[] targets,
    boolean[] boxes,
    int player,
    byte[] solution) {
  /** Directions: up, down, left, right, as ROLL's actions 1 to 4 but from 0. */
  static final int DIRECTIONS = 4;

  /** Returns the identity of the room as text, independent of the player. */
  String room() {
    StringBuilder text = new StringBuilder(rows + "x" + columns + ":");
    for (int cell = 0; cell < walls.length; cell++) {
      text.append(
          walls[cell] ? '#' : (char) ('0' + (targets[cell] ? 1 : 0) + (boxes[cell] ? 2 : 0)));
    }
    return text.toString();
  }

  /** Returns the difference between the number of a neighbor and that of a cell. */
  int offset(int direction) {
    return offset(direction, columns);
  }

  /** Like {@link #offset(int)}, for a room of {@code columns} columns. */
  static int offset(int direction, int columns) {
    return switch (direction) {
      case 0 -> -columns;
      case 1 -> columns;
      case 2 -> -1;
      case 3 -> 1;
      default -> throw new IllegalArgumentException("no direction " + direction);
    };
  }

  /** Returns the opposite direction of a move. */
  static int opposite(int direction) {
    return direction ^ 1;
  }
}
