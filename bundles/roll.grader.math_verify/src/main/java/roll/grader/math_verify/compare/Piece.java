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
record Piece(Interval interval, double low, double high) {
  private boolean isEmpty() {
    boolean open = interval.openLow() || interval.openHigh();
    return low > high || (low == high && (open || Double.isInfinite(low)));
  }

  /** Merges overlapping and adjacent intervals, in order. */
  static List<Piece> merged(List<Piece> pieces) {
    List<Piece> merged = new ArrayList<>();
    for (Piece next : pieces.stream().sorted(Comparator.comparingDouble(Piece::low)).toList()) {
      Piece last = merged.isEmpty() ? null : merged.getLast();
      if (last != null && last.touches(next)) {
        merged.removeLast();
        merged.add(last.with(next));
      } else {
        merged.add(next);
      }
    }
    return merged;
  }

  private boolean touches(Piece next) {
    return next.low < high
        || (next.low == high && !(next.interval.openLow() && interval.openHigh()));
  }

  /** Returns the union with {@code next}, which does not begin earlier. */
  private Piece with(Piece next) {
    boolean further = next.high > high || (next.high == high && !next.interval.openHigh());
    boolean openLow = interval.openLow() && (next.interval.openLow() || next.low > low);
    Interval end = further ? next.interval : interval;
    return new Piece(
        new Interval(interval.low(), end.high(), openLow, end.openHigh()),
        low,
        further ? next.high : high);
  }

  /** Returns the intersection of two sets. */
  static List<Piece> intersection(List<Piece> a, List<Piece> b) {
    List<Piece> common = new ArrayList<>();
    for (Piece x : a) {
      for (Piece y : b) {
        Piece both = x.and(y);
        if (!both.isEmpty()) {
          common.add(both);
        }
      }
    }
    return merged(common);
  }

  private Piece and(Piece other) {
    boolean later = other.low > low || (other.low == low && other.interval.openLow());
    boolean earlier = other.high < high || (other.high == high && other.interval.openHigh());
    Interval start = later ? other.interval : interval;
    Interval end = earlier ? other.interval : interval;
    return new Piece(
        new Interval(start.low(), end.high(), start.openLow(), end.openHigh()),
        later ? other.low : low,
        earlier ? other.high : high);
  }

  /** Returns the complement of {@code merged}. */
  static List<Piece> outside(List<Piece> merged) {
    List<Piece> rest = List.of(all());
    for (Piece piece : merged) {
      Interval i = piece.interval;
      Piece before =
          new Piece(
              new Interval(Ranges.LOWEST, i.low(), true, !i.openLow()),
              Double.NEGATIVE_INFINITY,
              piece.low);
      Piece behind =
          new Piece(
              new Interval(i.high(), Terms.INFINITY, !i.openHigh(), true),
              piece.high,
              Double.POSITIVE_INFINITY);
      rest =
          intersection(
              rest, List.of(before, behind).stream().filter(part -> !part.isEmpty()).toList());
    }
    return rest;
  }

  /** Returns the real line. */
  static Piece all() {
    return new Piece(
        new Interval(Ranges.LOWEST, Terms.INFINITY, true, true),
        Double.NEGATIVE_INFINITY,
        Double.POSITIVE_INFINITY);
  }
}
