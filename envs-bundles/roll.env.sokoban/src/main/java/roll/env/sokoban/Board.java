package roll.env.sokoban;

/** The state of a level in play. */
final class Board {
  private final Level level;
  private final boolean[] boxes;
  private final int count;
  private int player;
  private int placed;

  /** Creates the initial state of {@code level}. */
  Board(Level level) {
    this.level = level;
    boxes = level.boxes().clone();
    player = level.player();
    int all = 0;
    for (int cell = 0; cell < boxes.length; cell++) {
      if (boxes[cell]) {
        all++;
        placed += level.targets()[cell] ? 1 : 0;
      }
    }
    count = all;
  }

  /**
   * Moves the player and pushes a box if the cell behind it is free.
   *
   * @return whether the player moved
   */
  boolean move(int direction) {
    int offset = level.offset(direction);
    int next = player + offset;
    if (level.walls()[next]) {
      return false;
    }
    if (boxes[next]) {
      int behind = next + offset;
      if (level.walls()[behind] || boxes[behind]) {
        return false;
      }
      boxes[next] = false;
      boxes[behind] = true;
      placed += (level.targets()[behind] ? 1 : 0) - (level.targets()[next] ? 1 : 0);
    }
    player = next;
    return true;
  }

  Level level() {
    return level;
  }

  int player() {
    return player;
  }

  boolean box(int cell) {
    return boxes[cell];
  }

  /** Returns the number of boxes on targets. */
  int placed() {
    return placed;
  }

  boolean solved() {
    return placed == count;
  }

  /** Returns the content of a cell by ROLL's numbers: see {@link SokobanEnvironment}. */
  int content(int cell) {
    boolean target = level.targets()[cell];
    if (level.walls()[cell]) {
      return 0;
    } else if (boxes[cell]) {
      return target ? 3 : 4;
    } else if (cell == player) {
      return target ? 6 : 5;
    }
    return target ? 2 : 1;
  }
}
