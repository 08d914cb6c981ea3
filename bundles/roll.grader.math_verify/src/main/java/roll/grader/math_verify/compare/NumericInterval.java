package roll.grader.math_verify.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import roll.grader.math_verify.compare.Term.Interval;

/**
 * An interval with numeric ends, by which the intervals of a set are ordered.
 *
 * @param low not NaN
 * @param high not NaN
 */
record NumericInterval(Interval interval, double low, double high) {
  private boolean isEmpty() {
    boolean open = interval.openLow() || interval.openHigh();
    return low > high || (low == high && (open || Double.isInfinite(low)));
  }

  /** Merges overlapping and adjacent intervals, in order. */
  static List<NumericInterval> merged(List<NumericInterval> pieces) {
    List<NumericInterval> merged = new ArrayList<>();
    for (NumericInterval next :
        pieces.stream().sorted(Comparator.comparingDouble(NumericInterval::low)).toList()) {
      NumericInterval last = merged.isEmpty() ? null : merged.getLast();
      if (last != null && last.touches(next)) {
        merged.removeLast();
        merged.add(last.with(next));
      } else {
        merged.add(next);
      }
    }
    return merged;
  }

  private boolean touches(NumericInterval next) {
    return next.low < high
        || (next.low == high && !(next.interval.openLow() && interval.openHigh()));
  }

  /** Returns the union with {@code next}, which does not begin earlier. */
  private NumericInterval with(NumericInterval next) {
    boolean further = next.high > high || (next.high == high && !next.interval.openHigh());
    boolean openLow = interval.openLow() && (next.interval.openLow() || next.low > low);
    Interval end = further ? next.interval : interval;
    return new NumericInterval(
        new Interval(interval.low(), end.high(), openLow, end.openHigh()),
        low,
        further ? next.high : high);
  }

  /** Returns the intersection of two sets. */
  static List<NumericInterval> intersection(List<NumericInterval> a, List<NumericInterval> b) {
    List<NumericInterval> common = new ArrayList<>();
    for (NumericInterval x : a) {
      for (NumericInterval y : b) {
        NumericInterval both = x.and(y);
        if (!both.isEmpty()) {
          common.add(both);
        }
      }
    }
    return merged(common);
  }

  private NumericInterval and(NumericInterval other) {
    boolean later = other.low > low || (other.low == low && other.interval.openLow());
    boolean earlier = other.high < high || (other.high == high && other.interval.openHigh());
    Interval start = later ? other.interval : interval;
    Interval end = earlier ? other.interval : interval;
    return new NumericInterval(
        new Interval(start.low(), end.high(), start.openLow(), end.openHigh()),
        later ? other.low : low,
        earlier ? other.high : high);
  }

  /** Returns the complement of the merged intervals {@code merged}. */
  static List<NumericInterval> outside(List<NumericInterval> merged) {
    List<NumericInterval> rest = List.of(all());
    for (NumericInterval piece : merged) {
      Interval i = piece.interval;
      NumericInterval before =
          new NumericInterval(
              new Interval(RealSets.LOWEST, i.low(), true, !i.openLow()),
              Double.NEGATIVE_INFINITY,
              piece.low);
      NumericInterval behind =
          new NumericInterval(
              new Interval(i.high(), Terms.INFINITY, !i.openHigh(), true),
              piece.high,
              Double.POSITIVE_INFINITY);
      rest =
          intersection(
              rest, List.of(before, behind).stream().filter(part -> !part.isEmpty()).toList());
    }
    return rest;
  }

  /** Returns the real line of the numeric interval. */
  static NumericInterval all() {
    return new NumericInterval(
        new Interval(RealSets.LOWEST, Terms.INFINITY, true, true),
        Double.NEGATIVE_INFINITY,
        Double.POSITIVE_INFINITY);
  }
}
