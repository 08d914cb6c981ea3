package roll.env.sokoban;

/**
 * Detects freeze deadlocks: a box that walls or other frozen boxes block along both axes can never
 * be pushed again. A frozen box off its target makes a level unsolvable.
 */
final class FreezeDeadlock {
  private final Level level;
  private final int[] pushes;

  /**
   * Creates a detector for a level.
   *
   * @param pushes minimum pushes from each cell to a target; −1 if a box there can reach none
   */
  FreezeDeadlock(Level level, int[] pushes) {
    this.level = level;
    this.pushes = pushes;
  }

  /** Returns whether the box just pushed to {@code cell} has made the level unsolvable. */
  boolean dead(int cell, boolean[] boxes) {
    boolean[] fixed = new boolean[boxes.length];
    boolean[] off = new boolean[1];
    return frozen(cell, boxes, fixed, off) && off[0];
  }

  /**
   * Returns whether the box is frozen if those in {@code fixed} count as walls; records one off its
   * target.
   */
  private boolean frozen(int cell, boolean[] boxes, boolean[] fixed, boolean[] off) {
    boolean[] fixedBefore = fixed.clone();
    boolean offBefore = off[0];
    fixed[cell] = true;
    boolean frozen =
        blocked(cell, 1, boxes, fixed, off) && blocked(cell, level.columns(), boxes, fixed, off);
    if (frozen) {
      off[0] |= !level.targets()[cell];
    } else {
      System.arraycopy(fixedBefore, 0, fixed, 0, fixed.length);
      off[0] = offBefore;
    }
    return frozen;
  }

  private boolean blocked(int cell, int offset, boolean[] boxes, boolean[] fixed, boolean[] off) {
    int one = cell - offset;
    int other = cell + offset;
    if (wall(one, fixed) || wall(other, fixed) || (pushes[one] < 0 && pushes[other] < 0)) {
      return true;
    }
    return (boxes[one] && frozen(one, boxes, fixed, off))
        || (boxes[other] && frozen(other, boxes, fixed, off));
  }

  private boolean wall(int cell, boolean[] fixed) {
    return level.walls()[cell] || fixed[cell];
  }
}
