package roll.grader.math_verify;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import roll.grader.math_verify.Term.Apply;
import roll.grader.math_verify.Term.Group;
import roll.grader.math_verify.Term.Interval;
import roll.grader.math_verify.Term.Kind;
import roll.grader.math_verify.Term.Name;
import roll.grader.math_verify.Term.Relation;
import roll.grader.math_verify.Term.Sign;

/** Sets of real numbers as intervals from left to right. */
final class Ranges {
  private static final Term LOWEST = Terms.negative(Terms.INFINITY);

  private final Values values;

  Ranges(Values values) {
    this.values = values;
  }

  /** The intervals of a set or of relations for one symbol; empty where it is something else. */
  Optional<List<Interval>> of(Term term) throws Unreadable {
    List<Interval> pieces = new ArrayList<>();
    if (!add(term, pieces)) {
      return Optional.empty();
    }
    List<Interval> sorted = new ArrayList<>();
    for (Interval piece : pieces) {
      if (Double.isNaN(low(piece)) || Double.isNaN(high(piece))) {
        return Optional.empty();
      }
      sorted.add(piece);
    }
    sorted.sort(Comparator.comparingDouble(this::low));
    return Optional.of(merged(sorted));
  }

  /** Whether the term can be nothing but a set of reals or a list of relations. */
  static boolean isRange(Term term) {
    return term instanceof Interval
        || term.equals(new Name("setR"))
        || (term instanceof Apply a && (a.head().equals("Union") || a.head().equals("Complement")));
  }

  private boolean add(Term term, List<Interval> pieces) throws Unreadable {
    return switch (term) {
      case Interval interval -> pieces.add(interval);
      case Group g when g.kind() == Kind.TUPLE && g.items().size() == 2 ->
          pieces.add(new Interval(g.items().get(0), g.items().get(1), true, true));
      case Group g when g.kind() == Kind.SET -> {
        g.items().forEach(item -> pieces.add(new Interval(item, item, false, false)));
        yield true;
      }
      case Group g when g.kind() == Kind.AND -> conjunction(g.items(), pieces);
      case Name name when name.name().equals("setR") ->
          pieces.add(new Interval(LOWEST, Terms.INFINITY, true, true));
      case Apply a when a.head().equals("Union") -> {
        for (Term part : a.parts()) {
          if (!add(part, pieces)) {
            yield false;
          }
        }
        yield true;
      }
      case Apply a when a.head().equals("Complement") && a.parts().get(1) instanceof Group points ->
          without(a.parts().get(0), points, pieces);
      case Relation r -> relation(r, pieces);
      default -> false;
    };
  }

  /** A chain is one interval; relations side by side are alternatives. */
  private boolean conjunction(List<Term> items, List<Interval> pieces) throws Unreadable {
    if (items.size() == 2
        && items.get(0) instanceof Relation a
        && items.get(1) instanceof Relation b
        && a.right().equals(b.left())
        && a.sign().ordered()
        && b.sign().ordered()) {
      boolean up = a.sign() == Sign.LESS || a.sign() == Sign.LESS_EQUAL;
      Interval interval =
          up
              ? new Interval(a.left(), b.right(), open(a), open(b))
              : new Interval(b.right(), a.left(), open(b), open(a));
      return a.right() instanceof Name && pieces.add(interval);
    }
    for (Term item : items) {
      if (!add(item, pieces)) {
        return false;
      }
    }
    return true;
  }

  private boolean relation(Relation r, List<Interval> pieces) throws Unreadable {
    boolean turned =
        r.right() instanceof Name
            && !r.right().equals(Terms.INFINITY)
            && !(r.left() instanceof Name);
    Sign sign = turned ? r.sign().flipped() : r.sign();
    Term bound = turned ? r.left() : r.right();
    if (!turned && !(r.left() instanceof Name)) {
      return false;
    }
    return switch (sign) {
      case LESS, LESS_EQUAL -> pieces.add(new Interval(LOWEST, bound, true, sign == Sign.LESS));
      case GREATER, GREATER_EQUAL ->
          pieces.add(new Interval(bound, Terms.INFINITY, sign == Sign.GREATER, true));
      case UNEQUAL ->
          pieces.add(new Interval(LOWEST, bound, true, true))
              && pieces.add(new Interval(bound, Terms.INFINITY, true, true));
      case EQUAL -> pieces.add(new Interval(bound, bound, false, false));
      case IN -> add(bound, pieces);
      case ABOUT -> false;
    };
  }

  /** Leaves out single points. */
  private boolean without(Term whole, Group points, List<Interval> pieces) throws Unreadable {
    List<Interval> rest = new ArrayList<>();
    if (!add(whole, rest)) {
      return false;
    }
    for (Term point : points.items()) {
      double at = values.real(point);
      List<Interval> cut = new ArrayList<>();
      for (Interval piece : rest) {
        if (low(piece) < at && at < high(piece)) {
          cut.add(new Interval(piece.low(), point, piece.openLow(), true));
          cut.add(new Interval(point, piece.high(), true, piece.openHigh()));
        } else {
          boolean first = low(piece) == at;
          boolean last = high(piece) == at;
          cut.add(
              new Interval(
                  piece.low(), piece.high(), piece.openLow() || first, piece.openHigh() || last));
        }
      }
      rest = cut;
    }
    return pieces.addAll(rest);
  }

  /** Intervals that touch or overlap are one. */
  private List<Interval> merged(List<Interval> sorted) {
    List<Interval> merged = new ArrayList<>();
    for (Interval next : sorted) {
      Interval last = merged.isEmpty() ? null : merged.getLast();
      boolean touches =
          last != null
              && (low(next) < high(last)
                  || (low(next) == high(last) && !(next.openLow() && last.openHigh())));
      if (last == null || !touches) {
        merged.add(next);
        continue;
      }
      boolean further = high(next) > high(last) || (high(next) == high(last) && !next.openHigh());
      boolean openLow = last.openLow() && (next.openLow() || low(next) > low(last));
      merged.removeLast();
      merged.add(
          new Interval(
              last.low(),
              further ? next.high() : last.high(),
              openLow,
              further ? next.openHigh() : last.openHigh()));
    }
    return merged;
  }

  private static boolean open(Relation relation) {
    return relation.sign() == Sign.LESS || relation.sign() == Sign.GREATER;
  }

  private double low(Interval interval) {
    return real(interval.low());
  }

  private double high(Interval interval) {
    return real(interval.high());
  }

  private double real(Term term) {
    try {
      return values.real(term);
    } catch (Unreadable e) {
      return Double.NaN;
    }
  }
}
