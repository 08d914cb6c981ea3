package roll.env.sokoban;

/**
 * Recognizes boxes that can never be pushed again: walls, or boxes that are stuck themselves, block
 * a box along both axes. A frozen box off its target makes a level hopeless.
 */
final class Freeze {
  private final Level level;
  private final int[] pushes;

  /**
   * For a level.
   *
   * @param pushes for every cell the pushes to a target, −1 where a box can reach none
   */
  Freeze(Level level, int[] pushes) {
    this.level = level;
    this.pushes = pushes;
  }

  /** Whether the box in {@code cell}, just pushed there, has made the level hopeless. */
  boolean dead(int cell, boolean[] boxes) {
    boolean[] fixed = new boolean[boxes.length];
    boolean[] off = new boolean[1];
    return frozen(cell, boxes, fixed, off) && off[0];
  }

  /** Whether the box is frozen if those in {@code fixed} are walls; notes one off its target. */
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
