package roll.rollout.schedule;

import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Whether a step of asynchronous training waits for groups that would be too old for later ones,
 * although enough others are complete. Were it not to, what takes long would be played in vain, and
 * the policy would be trained on short episodes more than on long ones.
 *
 * <p>It waits no longer than the last step took, and for calls of an environment no longer than a
 * part of that: what hangs costs its own group alone. Used by one thread.
 */
final class DueWait {
  /** A call of an environment may delay a step by one part in so many of the last one's time. */
  private static final int PART = 10;

  /** Steps that take less, in nanoseconds, are waited for as if they took so long. */
  private static final long SHORTEST_STEP = 1_000_000_000;

  private final int groupsOfAStep;
  private final int groupSize;
  private final int bound;
  private final LongSupplier clock;
  private boolean first = true;
  private long begun;
  private boolean enough;
  private long enoughSince;
  private long limit = Long.MAX_VALUE;

  /**
   * No step has begun.
   *
   * @param groupsOfAStep how many groups a step takes
   * @param groupSize how many members a complete group has
   * @param bound the greatest age, in steps, of a group that is taken
   * @param clock nanoseconds since any time
   */
  DueWait(int groupsOfAStep, int groupSize, int bound, LongSupplier clock) {
    this.groupsOfAStep = groupsOfAStep;
    this.groupSize = groupSize;
    this.bound = bound;
    this.clock = clock;
  }

  /** A step begins, about as long behind the last one as it will take itself. */
  void begin() {
    long now = clock.getAsLong();
    if (!first) {
      limit = Math.max(SHORTEST_STEP, now - begun);
    }
    first = false;
    begun = now;
    enough = false;
  }

  /**
   * Whether a step must not take the oldest complete groups of {@code groups} yet: too few are
   * complete, or it would leave one that no later step could take in time, and has not waited for
   * it long enough.
   *
   * @param groups in play and complete
   * @param round the present one, see {@link Group#since}
   */
  boolean lasts(List<Group> groups, int round) {
    List<Group> taken = oldest(groups, groupsOfAStep);
    if (taken.size() < groupsOfAStep) {
      return true;
    }
    if (!enough) {
      enough = true;
      enoughSince = clock.getAsLong();
    }
    if (nanos() >= limit) {
      return false;
    }
    int[] left = new int[bound + 1];
    for (Group group : groups) {
      if (!taken.contains(group) && !group.heldLongerThan(patience(), groupSize)) {
        left[Math.min(bound, round - group.since())]++;
      }
    }
    return !fits(left, groupsOfAStep);
  }

  /** Nanoseconds after which {@link #lasts} may say something else, though no episode ended. */
  long lookAgain() {
    return enough ? patience() : Long.MAX_VALUE;
  }

  private long patience() {
    return limit == Long.MAX_VALUE ? limit : limit / PART;
  }

  /** Nanoseconds that the step has waited since enough groups were complete. */
  long nanos() {
    return enough ? clock.getAsLong() - enoughSince : 0;
  }

  /** The oldest {@code number} complete groups, or all if there are fewer; equals in order. */
  static List<Group> oldest(List<Group> groups, int number) {
    return groups.stream()
        .filter(Group::closed)
        .sorted(Comparator.comparingInt(Group::since))
        .limit(number)
        .toList();
  }

  /**
   * Whether each of the groups that are left can be taken before it is too old.
   *
   * @param left how many are 0, 1, 2 … steps old; those of the last entry are too old for the next
   *     step, those before it for the one after that, and so on
   * @param groupsOfAStep how many each step takes
   */
  static boolean fits(int[] left, int groupsOfAStep) {
    int due = 0;
    for (int age = left.length - 1; age >= 0; age--) {
      due += left[age];
      if (due > (left.length - 1 - age) * groupsOfAStep) {
        return false;
      }
    }
    return true;
  }
}
