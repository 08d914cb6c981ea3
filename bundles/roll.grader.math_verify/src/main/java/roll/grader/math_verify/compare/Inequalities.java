package roll.grader.math_verify.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import roll.grader.math_verify.compare.Term.Apply;
import roll.grader.math_verify.compare.Term.Interval;
import roll.grader.math_verify.compare.Term.Name;
import roll.grader.math_verify.compare.Term.Num;
import roll.grader.math_verify.compare.Term.Relation;
import roll.grader.math_verify.compare.Term.Sign;

/**
 * Solves relations of a symbol, of a linear expression of it, or of its absolute value or square.
 */
final class Inequalities {
  private static final Set<String> FUNCTIONS = Set.of("f", "g", "h");

  private final SymbolicValues values;

  Inequalities(SymbolicValues values) {
    this.values = values;
  }

  /** The slope and intercept of an expression in one symbol. */
  private record Line(Term slope, Term intercept) {}

  /**
   * Returns the intervals that solve the relation {@code given}; none for other relations and
   * without a solution.
   */
  List<Interval> solutions(Relation given) throws FormulaException {
    Relation relation = new Relation(given.sign(), named(given.left()), named(given.right()));
    if (Relations.unknowns(relation).size() != 1) {
      return List.of();
    }
    boolean left = has(relation.left());
    boolean right = has(relation.right());
    if (left && right) {
      Term difference = Terms.sum(relation.left(), Terms.negative(relation.right()));
      return solve(difference, relation.sign(), Num.of(0));
    }
    return left
        ? solve(relation.left(), relation.sign(), relation.right())
        : solve(relation.right(), relation.sign().flipped(), relation.left());
  }

  /** Replaces a function of a symbol, such as f(x), by one symbol. */
  private static Term named(Term side) {
    boolean call =
        side instanceof Apply a
            && a.head().equals("Times")
            && a.parts().size() == 2
            && a.parts().stream().allMatch(Name.class::isInstance)
            && a.parts().getFirst() instanceof Name function
            && FUNCTIONS.contains(function.name());
    return call ? new Name("function") : side;
  }

  private static boolean has(Term term) {
    return !Relations.unknowns(term).isEmpty();
  }

  private List<Interval> solve(Term side, Sign sign, Term bound) throws FormulaException {
    if (side instanceof Apply a && a.head().equals("Abs")) {
      return absolute(a.parts().getFirst(), sign, bound);
    }
    if (side instanceof Apply a
        && a.head().equals("Power")
        && a.parts().getLast() instanceof Num n
        && n.is(2)) {
      Term root = Terms.power(bound, Terms.quotient(Num.of(1), n));
      return absolute(a.parts().getFirst(), sign, root);
    }
    Optional<Line> line = line(side);
    if (line.isEmpty()) {
      return List.of();
    }
    double slope = values.real(line.get().slope());
    if (!Double.isFinite(slope) || slope == 0) {
      return List.of();
    }
    Term shifted =
        isZero(line.get().intercept())
            ? bound
            : Terms.sum(bound, Terms.negative(line.get().intercept()));
    Term solved =
        line.get().slope() instanceof Num n && n.is(1)
            ? shifted
            : Terms.quotient(shifted, line.get().slope());
    return ranges(slope < 0 ? sign.flipped() : sign, solved);
  }

  private static boolean isZero(Term term) {
    return term instanceof Num n && n.is(0);
  }

  private static List<Interval> ranges(Sign sign, Term bound) {
    Interval below = new Interval(RealSets.LOWEST, bound, true, sign != Sign.LESS_EQUAL);
    Interval above = new Interval(bound, Terms.INFINITY, sign != Sign.GREATER_EQUAL, true);
    return switch (sign) {
      case LESS, LESS_EQUAL -> List.of(below);
      case GREATER, GREATER_EQUAL -> List.of(above);
      case UNEQUAL -> List.of(below, above);
      case EQUAL -> List.of(new Interval(bound, bound, false, false));
      case IN, ABOUT -> List.of();
    };
  }

  /** Solves for an absolute value: between the bound and its negative, or outside. */
  private List<Interval> absolute(Term inner, Sign sign, Term bound) throws FormulaException {
    double size = values.real(bound);
    if (!(size > 0) || Double.isInfinite(size)) {
      return List.of();
    }
    Term negative = Terms.negative(bound);
    boolean within = sign == Sign.LESS || sign == Sign.LESS_EQUAL;
    List<Interval> up = solve(inner, sign, bound);
    List<Interval> down = solve(inner, sign.flipped(), negative);
    if (up.size() != 1 || down.size() != 1) {
      return List.of();
    }
    Interval a = up.getFirst();
    Interval b = down.getFirst();
    if (!within) {
      return List.of(a, b);
    }
    boolean rising = a.low().equals(RealSets.LOWEST);
    Interval low = rising ? b : a;
    Interval high = rising ? a : b;
    return List.of(new Interval(low.low(), high.high(), low.openLow(), high.openHigh()));
  }

  /** Returns the expression as a line; empty if it is not linear. */
  private static Optional<Line> line(Term term) {
    if (!has(term)) {
      return Optional.of(new Line(Num.of(0), term));
    }
    if (term instanceof Name) {
      return Optional.of(new Line(Num.of(1), Num.of(0)));
    }
    if (!(term instanceof Apply apply)) {
      return Optional.empty();
    }
    return switch (apply.head()) {
      case "Plus" -> sum(apply.parts());
      case "Times" -> product(apply.parts());
      default -> Optional.empty();
    };
  }

  private static Optional<Line> sum(List<Term> parts) {
    Term slope = Num.of(0);
    Term intercept = Num.of(0);
    for (Term part : parts) {
      Optional<Line> line = line(part);
      if (line.isEmpty()) {
        return Optional.empty();
      }
      slope = Terms.sum(slope, line.get().slope());
      intercept = Terms.sum(intercept, line.get().intercept());
    }
    return Optional.of(new Line(slope, intercept));
  }

  private static Optional<Line> product(List<Term> parts) {
    List<Term> with = new ArrayList<>();
    Term factor = Num.of(1);
    for (Term part : parts) {
      if (has(part)) {
        with.add(part);
      } else {
        factor = Terms.product(factor, part);
      }
    }
    Optional<Line> line = with.size() == 1 ? line(with.getFirst()) : Optional.empty();
    Term scale = factor;
    return line.map(
        l -> new Line(Terms.product(scale, l.slope()), Terms.product(scale, l.intercept())));
  }
}
