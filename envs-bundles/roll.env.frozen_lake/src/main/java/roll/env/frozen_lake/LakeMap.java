package roll.env.frozen_lake;

import java.util.random.RandomGenerator;

/**
 * A square map of FrozenLake. Cells are numbered row by row.
 *
 * @param size rows and columns
 * @param holes which cells are holes
 * @param start start of the player
 * @param goal goal of the player
 */
record LakeMap(int size, boolean[] holes, int start, int goal) {
  /** Moves, as Gymnasium numbers them: left, down, right, up. */
  static final int DIRECTIONS = 4;

  /**
   * Returns a random map with a path to the goal. Each cell is ice with probability {@code frozen},
   * then two different cells become start and goal; redrawn until there is a path.
   */
  static LakeMap random(int size, double frozen, RandomGenerator random) {
    while (true) {
      LakeMap map = draw(size, frozen, random);
      if (map.solvable()) {
        return map;
      }
    }
  }

  private static LakeMap draw(int size, double frozen, RandomGenerator random) {
    int cells = size * size;
    boolean[] holes = new boolean[cells];
    for (int cell = 0; cell < cells; cell++) {
      holes[cell] = random.nextDouble() >= frozen;
    }
    int start = random.nextInt(cells);
    int goal = random.nextInt(cells - 1);
    goal += goal >= start ? 1 : 0;
    holes[start] = false;
    holes[goal] = false;
    return new LakeMap(size, holes, start, goal);
  }

  /** Returns the identity of the lake as text. */
  String key() {
    StringBuilder text = new StringBuilder(start + ">" + goal + ":");
    for (boolean hole : holes) {
      text.append(hole ? 'O' : '_');
    }
    return text.toString();
  }

  /** Returns whether there is a path over ice from start to goal. */
  boolean solvable() {
    return start == goal || firstMove(start) >= 0;
  }

  /**
   * Returns the direction of the first move of a shortest path over ice from {@code cell} to the
   * goal; −1 at the goal or without a path.
   */
  int firstMove(int cell) {
    boolean[] seen = holes.clone();
    int[] queue = new int[holes.length];
    int tail = 0;
    queue[tail++] = goal; // moves are reversible, so the search starts at the goal
    seen[goal] = true;
    for (int head = 0; head < tail; head++) {
      for (int direction = 0; direction < DIRECTIONS; direction++) {
        int next = neighbor(queue[head], direction);
        if (!seen[next]) {
          if (next == cell) {
            return (direction + 2) % DIRECTIONS;
          }
          seen[next] = true;
          queue[tail++] = next;
        }
      }
    }
    return -1;
  }

  /** Returns the neighbor of {@code cell}; the same cell at the border. */
  int neighbor(int cell, int direction) {
    int row = cell / size;
    int column = cell % size;
    return switch (direction) {
      case 0 -> column > 0 ? cell - 1 : cell;
      case 1 -> row < size - 1 ? cell + size : cell;
      case 2 -> column < size - 1 ? cell + 1 : cell;
      case 3 -> row > 0 ? cell - size : cell;
      default -> throw new IllegalArgumentException("no direction " + direction);
    };
  }
}
