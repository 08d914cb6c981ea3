package roll.env.sokoban;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Solves a board by best-first search over pushes (weighted A*: moves made plus a multiple of the
 * minimum pushes of each box to its nearest target). Dead squares and freeze deadlocks are pruned.
 * With one box the solution is optimal.
 */
final class Solver {
  private static final int STATES = 100_000;
  private static final int WEIGHT = 5;

  private final Level level;
  private final Board board;
  private final int[] pushes;
  private final ShortestPaths floor;
  private final boolean[] boxes;
  private final FreezeDeadlock freeze;
  private final Queue<State> open =
      new PriorityQueue<>(Comparator.comparingInt(State::estimate).thenComparingInt(State::order));
  private final Set<String> seen = new HashSet<>();
  private int found;

  Solver(Board board) {
    this.board = board;
    level = board.level();
    pushes = pushes();
    floor = new ShortestPaths(level.walls().length, level.columns());
    boxes = new boolean[level.walls().length];
    freeze = new FreezeDeadlock(level, pushes);
  }

  /**
   * A position after a push.
   *
   * @param places cells of the boxes, ascending
   * @param player cell of the player
   * @param moves number of moves made
   * @param estimate estimate of all moves
   * @param order order of discovery
   * @param before the position before the push, null at the start
   * @param direction direction of the push
   */
  private record State(
      char[] places,
      int player,
      int moves,
      int estimate,
      int order,
      @Nullable State before,
      int direction) {
    String key() {
      return new String(places) + (char) player;
    }
  }

  /**
   * Returns the moves that solve the board; empty if none were found within the limit of states.
   */
  byte[] solve() {
    char[] places = new char[level.walls().length];
    int count = 0;
    for (int cell = 0; cell < places.length; cell++) {
      if (board.box(cell)) {
        places[count++] = (char) cell;
      }
    }
    State start = new State(Arrays.copyOf(places, count), board.player(), 0, 0, 0, null, 0);
    if (least(start.places()) < 0) {
      return new byte[0];
    }
    open.add(start);
    for (int expanded = 0; expanded < STATES; expanded++) {
      State state = open.poll();
      if (state == null) {
        break;
      }
      if (least(state.places()) == 0) {
        return moves(state);
      }
      if (seen.add(state.key())) {
        expand(state);
      }
    }
    return new byte[0];
  }

  private void expand(State state) {
    place(state);
    for (int i = 0; i < state.places().length; i++) {
      int cell = state.places()[i];
      for (int direction = 0; direction < Level.DIRECTIONS; direction++) {
        int to = cell + level.offset(direction);
        int stand = cell - level.offset(direction);
        if (!level.walls()[to] && !boxes[to] && pushes[to] >= 0 && floor.distance(stand) >= 0) {
          State next = pushed(state, i, to, state.moves() + floor.distance(stand) + 1, direction);
          boxes[cell] = false;
          boxes[to] = true;
          if (!seen.contains(next.key()) && !freeze.dead(to, boxes)) {
            open.add(next);
          }
          boxes[cell] = true;
          boxes[to] = false;
        }
      }
    }
  }

  private State pushed(State state, int box, int to, int moves, int direction) {
    char[] places = state.places().clone();
    int player = places[box];
    places[box] = (char) to;
    Arrays.sort(places);
    int weight = places.length == 1 ? 1 : WEIGHT;
    int estimate = moves + weight * least(places);
    return new State(places, player, moves, estimate, found++, state, direction);
  }

  /** Places the boxes of {@code state} and computes the paths of its player. */
  private void place(State state) {
    Arrays.fill(boxes, false);
    for (char cell : state.places()) {
      boxes[cell] = true;
    }
    floor.from(state.player(), level.walls(), boxes);
  }

  /** Returns the minimum number of pushes; −1 if a box can reach no target. */
  private int least(char[] places) {
    int sum = 0;
    for (char cell : places) {
      if (pushes[cell] < 0) {
        return -1;
      }
      sum += pushes[cell];
    }
    return sum;
  }

  /** Returns the moves that lead to {@code last}. */
  private byte[] moves(State last) {
    byte[] moves = new byte[last.moves()];
    int end = moves.length;
    for (State state = last; state.before() != null; state = state.before()) {
      State before = state.before();
      place(before);
      moves[end - 1] = (byte) state.direction();
      floor.write(state.player() - level.offset(state.direction()), moves, before.moves());
      end = before.moves();
    }
    return moves;
  }

  /** Returns the minimum pushes from each cell to a target; −1 if there is no way. */
  private int[] pushes() {
    int[] pushes = new int[level.walls().length];
    int[] queue = new int[pushes.length];
    int tail = 0;
    for (int cell = 0; cell < pushes.length; cell++) {
      pushes[cell] = level.targets()[cell] ? 0 : -1;
      if (level.targets()[cell]) {
        queue[tail++] = cell;
      }
    }
    for (int head = 0; head < tail; head++) {
      for (int direction = 0; direction < Level.DIRECTIONS; direction++) {
        int from = queue[head] - level.offset(direction);
        if (!level.walls()[from]
            && pushes[from] < 0
            && !level.walls()[from - level.offset(direction)]) {
          pushes[from] = pushes[queue[head]] + 1;
          queue[tail++] = from;
        }
      }
    }
    return pushes;
  }
}
