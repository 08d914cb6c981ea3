package roll.env.sokoban;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import roll.api.data.RandomStreams;

/**
 * Generates random levels as gym-sokoban does: a random walk carves a room, boxes start on their
 * targets, and reverse play pulls them off, so that the level is solvable.
 *
 * @param rows height with walls
 * @param columns width with walls
 * @param boxes number of boxes
 * @param searchDepth maximum number of reverse moves
 */
record RoomGenerator(int rows, int columns, int boxes, int searchDepth) {
  private static final int TRIES = 10_000;

  /** Number of tries in which no box may start on a target. */
  private static final int PICKY = 20;

  private static final double TURN = 0.35;

  /** The 3 × 3 cells that a step of the walk carves, row by row from the highest bit. */
  private static final int[] MASKS = {
    0b000_111_000, 0b010_010_010, 0b000_110_010, 0b000_110_110, 0b000_011_010
  };

  /** Returns the level of {@code seed}, or null if every try failed. */
  @Nullable Level level(long seed) {
    for (int n = 0; n < TRIES; n++) {
      Level level = draw(RandomStreams.of(seed, "roll.env.sokoban/level", n));
      if (level != null && (n >= PICKY || new Board(level).placed() == 0)) {
        return level;
      }
    }
    return null;
  }

  private @Nullable Level draw(RandomGenerator random) {
    boolean[] walls = new boolean[rows * columns];
    Arrays.fill(walls, true);
    carve(walls, random);
    int[] floor = new int[walls.length];
    int size = 0;
    for (int cell = 0; cell < walls.length; cell++) {
      if (!walls[cell]) {
        floor[size++] = cell;
      }
    }
    if (size < boxes + 2) {
      return null;
    }
    int[] homes = new int[boxes];
    for (int i = 0; i < boxes; i++) {
      int chosen = i + random.nextInt(size - i);
      homes[i] = floor[chosen];
      floor[chosen] = floor[i];
    }
    return new ReverseLevelGenerator(rows, columns, walls, homes, searchDepth, random).play();
  }

  private void carve(boolean[] walls, RandomGenerator random) {
    int row = 1 + random.nextInt(rows - 2);
    int column = 1 + random.nextInt(columns - 2);
    int direction = random.nextInt(Level.DIRECTIONS);
    for (int step = 0; step < (int) (1.7 * (rows + columns)); step++) {
      int nextRow = row + (direction == 1 ? 1 : direction == 0 ? -1 : 0);
      int nextColumn = column + (direction == 3 ? 1 : direction == 2 ? -1 : 0);
      boolean inside = inside(nextRow, nextColumn);
      row = inside ? nextRow : row;
      column = inside ? nextColumn : column;
      if (!inside || random.nextDouble() < TURN) {
        direction = random.nextInt(Level.DIRECTIONS);
      }
      int mask = MASKS[random.nextInt(MASKS.length)];
      for (int bit = 0; bit < 9; bit++) {
        int r = row - 1 + bit / 3;
        int c = column - 1 + bit % 3;
        if ((mask >> (8 - bit) & 1) == 1 && inside(r, c)) {
          walls[r * columns + c] = false;
        }
      }
    }
  }

  private boolean inside(int row, int column) {
    return row > 0 && row < rows - 1 && column > 0 && column < columns - 1;
  }
}
