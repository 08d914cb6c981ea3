package roll.env.sokoban;

import java.util.Arrays;

/** The shortest paths of a player between boxes, from one cell to every other. */
final class ShortestPaths {
  private final int columns;
  private final int[] distance;
  private final byte[] via;
  private final int[] queue;

  /** Creates buffers for a room of {@code cells} cells. */
  ShortestPaths(int cells, int columns) {
    this.columns = columns;
    distance = new int[cells];
    via = new byte[cells];
    queue = new int[cells];
  }

  /** Computes the paths from {@code player} over cells that are neither wall nor box. */
  void from(int player, boolean[] walls, boolean[] boxes) {
    Arrays.fill(distance, -1);
    distance[player] = 0;
    queue[0] = player;
    int tail = 1;
    for (int head = 0; head < tail; head++) {
      int cell = queue[head];
      for (int direction = 0; direction < Level.DIRECTIONS; direction++) {
        int next = cell + Level.offset(direction, columns);
        if (distance[next] < 0 && !walls[next] && !boxes[next]) {
          distance[next] = distance[cell] + 1;
          via[next] = (byte) direction;
          queue[tail++] = next;
        }
      }
    }
  }

  /** Returns the number of steps to {@code cell}; −1 if it is unreachable. */
  int distance(int cell) {
    return distance[cell];
  }

  /**
   * Writes the directions of the path to {@code cell} into {@code moves}, starting at {@code at}.
   *
   * @return the index after the last direction
   */
  int write(int cell, byte[] moves, int at) {
    int end = at + distance[cell];
    int here = cell;
    for (int i = end - 1; i >= at; i--) {
      moves[i] = via[here];
      here -= Level.offset(via[here], columns);
    }
    return end;
  }
}
