package roll.env.frozen_lake;

import java.util.random.RandomGenerator;

/**
 * A square lake. Cells are numbered row by row.
 *
 * @param size rows and columns
 * @param holes which cells are holes
 * @param start where the player begins
 * @param goal where the player should go
 */
record LakeMap(int size, boolean[] holes, int start, int goal) {
  /** Moves, as Gymnasium numbers them: left, down, right, up. */
  static final int DIRECTIONS = 4;

  /**
   * A random map on which the goal can be reached: every cell is ice with probability {@code
   * frozen}, then two different cells become start and goal; drawn again until there is a path.
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

  /** What makes it this lake and no other, as a text. */
  String looks() {
    StringBuilder text = new StringBuilder(start + ">" + goal + ":");
    for (boolean hole : holes) {
      text.append(hole ? 'O' : '_');
    }
    return text.toString();
  }

  /** Whether a way over ice leads from start to goal. */
  boolean solvable() {
    return start == goal || wayFrom(start) >= 0;
  }

  /**
   * The first move of a shortest way over ice from {@code cell} to the goal: a direction, or −1 at
   * the goal and where no way leads there.
   */
  int wayFrom(int cell) {
    boolean[] seen = holes.clone();
    int[] queue = new int[holes.length];
    int tail = 0;
    queue[tail++] = goal; // moves can be taken back, so the way is sought from its end
    seen[goal] = true;
    for (int head = 0; head < tail; head++) {
      for (int direction = 0; direction < DIRECTIONS; direction++) {
        int next = neighbour(queue[head], direction);
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

  /** The cell one step from {@code cell}; the same cell at the border. */
  int neighbour(int cell, int direction) {
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
