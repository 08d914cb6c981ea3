package roll.env.sokoban;

/**
 * A room and how it begins. Cells are numbered row by row; every cell of the border is a wall.
 * Arrays are not copied and must not change.
 *
 * @param rows height
 * @param columns width
 * @param walls which cells are walls
 * @param targets where boxes should go, as many as boxes
 * @param boxes where boxes begin
 * @param player where the player begins
 * @param solution moves that solve the level, as directions; empty where none is known
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

  /** The room in a text, the same for rooms that differ in nothing but where the player begins. */
  String room() {
    StringBuilder text = new StringBuilder(rows + "x" + columns + ":");
    for (int cell = 0; cell < walls.length; cell++) {
      text.append(
          walls[cell] ? '#' : (char) ('0' + (targets[cell] ? 1 : 0) + (boxes[cell] ? 2 : 0)));
    }
    return text.toString();
  }

  /** The difference between the number of a cell and that of its neighbor. */
  int offset(int direction) {
    return offset(direction, columns);
  }

  /** The same in any room of {@code columns} columns. */
  static int offset(int direction, int columns) {
    return switch (direction) {
      case 0 -> -columns;
      case 1 -> columns;
      case 2 -> -1;
      case 3 -> 1;
      default -> throw new IllegalArgumentException("no direction " + direction);
    };
  }

  /** The direction back. */
  static int opposite(int direction) {
    return direction ^ 1;
  }
}
