package roll.rollout.schedule;

import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Decides whether a step of asynchronous training waits for groups that would be too old for later
 * steps, although enough others are complete. Without the wait, long episodes would be discarded
 * and training biased toward short ones.
 *
 * <p>It waits at most as long as the last step took, and a fraction of that for a call of an
 * environment, so a call that hangs only costs its own group. Confined to one thread.
 */
final class StalenessWait {
  /** Divisor of the last step's duration: the maximum delay by one call of an environment. */
  private static final int CALL_SHARE = 10;

  /** Minimum duration of a step, in nanoseconds, for these limits. */
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
   * Creates a wait before the first step.
   *
   * @param groupsOfAStep number of groups per step
   * @param groupSize number of members of a complete group
   * @param bound maximum age, in steps, of a group that is used
   * @param clock a monotonic clock in nanoseconds
   */
  StalenessWait(int groupsOfAStep, int groupSize, int bound, LongSupplier clock) {
    this.groupsOfAStep = groupsOfAStep;
    this.groupSize = groupSize;
    this.bound = bound;
    this.clock = clock;
  }

  /** Sets the duration of the step before the first one of this object. */
  void last(long nanos) {
    limit = Math.max(SHORTEST_STEP, nanos);
  }

  /** Returns the nanoseconds since the step began; 0 before the first. */
  long stepNanos() {
    return first ? 0 : clock.getAsLong() - begun;
  }

  /** Begins a step; the time since the last call is the duration of the last step. */
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
   * Returns whether a step must not take the oldest complete groups yet. Either too few are
   * complete, or the step would leave a group that expires before a later step can take it, and the
   * limit of the wait is not reached.
   *
   * @param groups running and complete groups
   * @param round the current round, see {@link Group#since}
   */
  boolean mustWait(List<Group> groups, int round) {
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
      if (!taken.contains(group) && !group.blockedLongerThan(callLimit(), groupSize)) {
        left[Math.min(bound, round - group.since())]++;
      }
    }
    return !fits(left, groupsOfAStep);
  }

  /** Returns the nanoseconds after which {@link #mustWait} may change without an episode ending. */
  long recheckNanos() {
    return enough ? callLimit() : Long.MAX_VALUE;
  }

  private long callLimit() {
    return limit == Long.MAX_VALUE ? limit : limit / CALL_SHARE;
  }

  /** Returns the nanoseconds that the step has waited since enough groups were complete. */
  long nanos() {
    return enough ? clock.getAsLong() - enoughSince : 0;
  }

  /**
   * Returns the oldest {@code number} complete groups, or all if there are fewer; ties keep their
   * order.
   */
  static List<Group> oldest(List<Group> groups, int number) {
    return groups.stream()
        .filter(Group::closed)
        .sorted(Comparator.comparingInt(Group::since))
        .limit(number)
        .toList();
  }

  /**
   * Returns whether each remaining group can be taken before it expires.
   *
   * @param left number of groups by age in steps; those of the last entry expire at the next step,
   *     those of the entry before at the one after that, and so on
   * @param groupsOfAStep number of groups per step
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
