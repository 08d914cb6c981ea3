package roll.grader.math_verify.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import roll.grader.math_verify.compare.Term.Apply;
import roll.grader.math_verify.compare.Term.Group;
import roll.grader.math_verify.compare.Term.Interval;
import roll.grader.math_verify.compare.Term.Kind;
import roll.grader.math_verify.compare.Term.Name;
import roll.grader.math_verify.compare.Term.Relation;
import roll.grader.math_verify.compare.Term.Sign;

/** Sets of real numbers as ordered intervals. */
final class RealSets {
  static final Term LOWEST = Terms.negative(Terms.INFINITY);

  /** Maximum number of intervals to compare. */
  private static final int MOST = 50;

  private final SymbolicValues values;
  private final Inequalities inequalities;

  RealSets(SymbolicValues values) {
    this.values = values;
    this.inequalities = new Inequalities(values);
  }

  /** Returns the intervals of a set or of relations in one symbol; empty for other terms. */
  Optional<List<Interval>> of(Term term) throws FormulaException {
    try {
      return Optional.of(
          NumericInterval.merged(pieces(term)).stream().map(NumericInterval::interval).toList());
    } catch (NoRange e) {
      return Optional.empty();
    }
  }

  /** Returns whether the term can only be a set of reals or a list of relations. */
  static boolean isRange(Term term) {
    return term instanceof Interval
        || term.equals(new Name("setR"))
        || (term instanceof Apply a && isSetOperation(a.head()));
  }

  private static boolean isSetOperation(String head) {
    return head.equals("Union") || head.equals("Complement") || head.equals("Intersection");
  }

  /** Thrown if a term is not a set of reals. */
  private static final class NoRange extends Exception {
    private static final long serialVersionUID = 1;

    NoRange() {
      super("", null, false, false);
    }
  }

  private List<NumericInterval> pieces(Term term) throws NoRange, FormulaException {
    return switch (term) {
      case Interval interval -> List.of(piece(interval));
      case Group g when g.kind() == Kind.TUPLE && g.items().size() == 2 ->
          List.of(piece(new Interval(g.items().get(0), g.items().get(1), true, true)));
      case Group g when g.kind() == Kind.AND -> together(g.items());
      case Group g when g.kind() != Kind.TUPLE -> points(g);
      case Name name when name.name().equals("setR") -> List.of(NumericInterval.all());
      case Apply a when isSetOperation(a.head()) && a.parts().size() == 2 -> {
        List<NumericInterval> left = NumericInterval.merged(pieces(a.parts().getFirst()));
        List<NumericInterval> right = NumericInterval.merged(pieces(a.parts().getLast()));
        yield switch (a.head()) {
          case "Union" -> joined(left, right);
          case "Intersection" -> NumericInterval.intersection(left, right);
          default -> NumericInterval.intersection(left, NumericInterval.outside(right));
        };
      }
      case Relation r when r.sign() == Sign.IN -> pieces(r.right());
      case Relation r -> solved(r);
      default -> throw new NoRange();
    };
  }

  private List<NumericInterval> solved(Relation relation) throws NoRange, FormulaException {
    List<NumericInterval> pieces = new ArrayList<>();
    for (Interval interval : inequalities.solutions(relation)) {
      pieces.add(piece(interval));
    }
    if (pieces.isEmpty()) {
      throw new NoRange();
    }
    return pieces;
  }

  private List<NumericInterval> points(Group set) throws NoRange {
    List<NumericInterval> pieces = new ArrayList<>();
    for (Term item : set.items()) {
      pieces.add(piece(new Interval(item, item, false, false)));
    }
    return pieces;
  }

  private static List<NumericInterval> joined(
      List<NumericInterval> left, List<NumericInterval> right) throws NoRange {
    List<NumericInterval> joined = new ArrayList<>(left);
    joined.addAll(right);
    if (joined.size() > MOST) {
      throw new NoRange();
    }
    return NumericInterval.merged(joined);
  }

  /**
   * Combines several relations of one symbol into sets. A chain holds as a whole. Adjacent
   * relations are alternatives if no number solves two of them; if every number solves one of them,
   * all must hold.
   */
  private List<NumericInterval> together(List<Term> items) throws NoRange, FormulaException {
    List<NumericInterval> all = NumericInterval.merged(pieces(items.getFirst()));
    List<NumericInterval> any = all;
    boolean apart = true;
    for (Term item : items.subList(1, items.size())) {
      List<NumericInterval> next = NumericInterval.merged(pieces(item));
      apart &= NumericInterval.intersection(any, next).isEmpty();
      all = NumericInterval.intersection(all, next);
      any = joined(any, next);
    }
    if (apart && !chain(items)) {
      return any;
    }
    if (all.isEmpty() || !(chain(items) || any.equals(List.of(NumericInterval.all())))) {
      throw new NoRange();
    }
    return all;
  }

  private static boolean chain(List<Term> items) {
    return items.size() == 2
        && items.get(0) instanceof Relation a
        && items.get(1) instanceof Relation b
        && a.right().equals(b.left())
        && a.sign().ordered()
        && b.sign().ordered();
  }

  private NumericInterval piece(Interval interval) throws NoRange {
    double low = real(interval.low());
    double high = real(interval.high());
    if (Double.isNaN(low) || Double.isNaN(high)) {
      throw new NoRange();
    }
    return new NumericInterval(interval, low, high);
  }

  private double real(Term term) {
    try {
      return values.real(term);
    } catch (FormulaException e) {
      return Double.NaN;
    }
  }
}
