package roll.env.sokoban;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Generates a level by playing backwards from the solved room: the player repeatedly walks to a box
 * and pulls it. The position with most boxes off their targets, and farthest away, is the level;
 * the reversed moves are its solution.
 */
final class ReverseLevelGenerator {
  private static final int PULLS_A_BOX = 20;
  private static final double GO_ON = 0.6;
  private static final int LAST_STEPS = 3;

  private final int rows;
  private final int columns;
  private final boolean[] walls;
  private final int[] homes;
  private final int depth;
  private final RandomGenerator random;
  private final ShortestPaths floor;
  private final int[] boxes;
  private final boolean[] taken;
  private final boolean[] targets;
  private final int[] candidates;
  private int player = -1; // undetermined
  private byte[] moves = new byte[64];
  private int length;

  /**
   * Creates a game in the solved state.
   *
   * @param homes targets, the initial positions of the boxes
   * @param depth maximum number of moves
   */
  ReverseLevelGenerator(
      int rows, int columns, boolean[] walls, int[] homes, int depth, RandomGenerator random) {
    this.rows = rows;
    this.columns = columns;
    this.walls = walls;
    this.homes = homes;
    this.depth = depth;
    this.random = random;
    floor = new ShortestPaths(walls.length, columns);
    boxes = homes.clone();
    candidates = new int[boxes.length * Level.DIRECTIONS];
    taken = new boolean[walls.length];
    for (int home : homes) {
      taken[home] = true;
    }
    targets = taken.clone();
  }

  /** Returns the generated level; null if no box could be pulled off its target. */
  @Nullable Level play() {
    int best = 0;
    int[] bestBoxes = boxes;
    int bestPlayer = player;
    int bestLength = 0;
    int last = -1;
    for (int pulls = 0; pulls < PULLS_A_BOX * boxes.length; pulls++) {
      last = choose(last);
      if (last < 0) {
        break;
      }
      pull(last / Level.DIRECTIONS, last % Level.DIRECTIONS);
      int score = score();
      if (score > best) {
        best = score;
        bestBoxes = boxes.clone();
        bestPlayer = player;
        bestLength = length;
      }
    }
    return best == 0 ? null : level(bestBoxes, bestPlayer, bestLength);
  }

  /**
   * Returns box and direction of the next pull, often those of the last one; −1 if none is
   * possible.
   */
  private int choose(int last) {
    if (player >= 0) {
      floor.from(player, walls, taken);
    }
    int count = 0;
    boolean again = false;
    for (int pull = 0; pull < candidates.length; pull++) {
      if (possible(pull)) {
        candidates[count++] = pull;
        again |= pull == last;
      }
    }
    if (count == 0) {
      return -1;
    }
    return again && random.nextDouble() < GO_ON ? last : candidates[random.nextInt(count)];
  }

  private boolean possible(int pull) {
    int offset = Level.offset(pull % Level.DIRECTIONS, columns);
    int stand = boxes[pull / Level.DIRECTIONS] + offset;
    if (walls[stand] || taken[stand] || walls[stand + offset] || taken[stand + offset]) {
      return false;
    }
    int way = player < 0 ? 0 : floor.distance(stand);
    return way >= 0 && length + way + 1 <= depth;
  }

  private void pull(int box, int direction) {
    int offset = Level.offset(direction, columns);
    int stand = boxes[box] + offset;
    if (player >= 0) {
      walk(stand);
    }
    room(1);
    moves[length++] = (byte) direction;
    taken[boxes[box]] = false;
    taken[stand] = true;
    boxes[box] = stand;
    player = stand + offset;
  }

  private void walk(int cell) {
    room(floor.distance(cell));
    length = floor.write(cell, moves, length);
  }

  private void room(int more) {
    if (length + more > moves.length) {
      moves = Arrays.copyOf(moves, 2 * (length + more));
    }
  }

  /**
   * Returns a score by the number of boxes off targets, then by their distance from the targets.
   */
  private int score() {
    int off = 0;
    int distance = 0;
    for (int i = 0; i < boxes.length; i++) {
      off += targets[boxes[i]] ? 0 : 1;
      distance +=
          Math.abs(boxes[i] / columns - homes[i] / columns)
              + Math.abs(boxes[i] % columns - homes[i] % columns);
    }
    return off == 0 ? 0 : off * (rows + columns) * boxes.length + distance;
  }

  /** Returns the level after the first {@code end} moves and at most three more steps. */
  private Level level(int[] start, int from, int end) {
    boolean[] begin = new boolean[walls.length];
    for (int box : start) {
      begin[box] = true;
    }
    floor.from(from, walls, begin);
    int far = Math.min(LAST_STEPS, depth - end);
    int place = from;
    int seen = 0;
    for (int cell = 0; cell < walls.length; cell++) {
      if (floor.distance(cell) >= 0 && floor.distance(cell) <= far && random.nextInt(++seen) == 0) {
        place = cell;
      }
    }
    length = end;
    walk(place);
    byte[] solution = new byte[length];
    for (int i = 0; i < length; i++) {
      solution[i] = (byte) Level.opposite(moves[length - 1 - i]);
    }
    return new Level(rows, columns, walls, targets, begin, place, solution);
  }
}
