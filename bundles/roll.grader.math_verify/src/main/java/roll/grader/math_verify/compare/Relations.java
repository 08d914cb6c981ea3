package roll.grader.math_verify.compare;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.grader.math_verify.compare.Term.Apply;
import roll.grader.math_verify.compare.Term.Group;
import roll.grader.math_verify.compare.Term.Kind;
import roll.grader.math_verify.compare.Term.Name;
import roll.grader.math_verify.compare.Term.Num;
import roll.grader.math_verify.compare.Term.Relation;
import roll.grader.math_verify.compare.Term.Sign;
import roll.grader.math_verify.compare.Term.Words;

/** Classifies and compares equations and inequalities. */
public final class Relations {
  private final SymbolicValues values;
  private final Comparison comparison;

  Relations(SymbolicValues values, Comparison comparison) {
    this.values = values;
    this.comparison = comparison;
  }

  /** Returns whether the term is a relation, or several that all hold. */
  public static boolean isRelation(Term term) {
    return term instanceof Relation || (term instanceof Group g && g.kind() == Kind.AND);
  }

  static boolean isEquation(Term term) {
    return term instanceof Relation r && r.sign() == Sign.EQUAL;
  }

  static boolean isMember(Term term) {
    return term instanceof Relation r && r.sign() == Sign.IN;
  }

  /** Returns whether the term is an equation with only symbols on its left side. */
  static boolean isAssignment(Term term) {
    return (isEquation(term) || isMember(term)) && symbols(((Relation) term).left());
  }

  /** Returns whether {@code side} is a name that can have a value. */
  static boolean isNamed(Term side) {
    return symbols(side) && !side.has(Relations::constant);
  }

  /** Returns the side of a chain of equations that has the value: the first, or the last symbol. */
  static Term named(Term left, List<Term> chain, Term value) {
    if (isNamed(left) || isNamed(value)) {
      return left;
    }
    for (Term equation : chain.reversed()) {
      if (equation instanceof Relation r && isNamed(r.left())) {
        return r.left();
      }
    }
    return left;
  }

  /** Returns whether the term is several equations with only symbols on their left sides. */
  static boolean areAssignments(Term term) {
    return term instanceof Group g
        && g.kind() == Kind.AND
        && g.items().stream().allMatch(item -> isEquation(item) && isAssignment(item));
  }

  /** Returns the right sides of {@link #areAssignments}, in order. */
  static Group values(Term assignments) {
    return new Group(
        Kind.TUPLE, assignments.inside().stream().map(item -> ((Relation) item).right()).toList());
  }

  /**
   * Returns the solutions in {@link #areAssignments}, each for the same symbols in the same order;
   * empty for a single solution or other terms.
   */
  static Optional<Group> solutions(Term assignments) {
    List<Term> symbols = assignments.inside().stream().map(t -> ((Relation) t).left()).toList();
    int width = symbols.subList(1, symbols.size()).indexOf(symbols.getFirst()) + 1;
    if (width < 2 || symbols.size() % width != 0) {
      return Optional.empty();
    }
    List<Term> values = values(assignments).items();
    List<Term> tuples = new ArrayList<>();
    for (int i = 0; i < symbols.size(); i += width) {
      if (!symbols.subList(i, i + width).equals(symbols.subList(0, width))) {
        return Optional.empty();
      }
      tuples.add(new Group(Kind.TUPLE, values.subList(i, i + width)));
    }
    return Optional.of(new Group(Kind.SET, List.copyOf(tuples)));
  }

  /** Returns the assignments of {@link #solutions}, each solution as relations that all hold. */
  static List<Term> solutionsAsRelations(Term assignments, int width) {
    List<Term> items = assignments.inside();
    List<Term> solutions = new ArrayList<>();
    for (int i = 0; i < items.size(); i += width) {
      solutions.add(new Group(Kind.AND, items.subList(i, i + width)));
    }
    return solutions;
  }

  /** Returns whether {@link #areAssignments} name one thing with several subscripts, like roots. */
  static boolean areRoots(Term assignments) {
    return assignments.inside().stream()
            .map(item -> ((Relation) item).left())
            .map(left -> left instanceof Name n ? n.name().replaceAll("_.*", "") : "")
            .distinct()
            .count()
        == 1;
  }

  /** Returns the unknown symbols in {@code term}. */
  static Set<Term> unknowns(Term term) {
    Set<Term> unknowns = new LinkedHashSet<>();
    term.has(
        inner -> {
          if (inner instanceof Name name && !constant(name) && !name.name().matches("(set|#).*")) {
            unknowns.add(name);
          }
          return false;
        });
    return unknowns;
  }

  private static boolean constant(Term term) {
    return term instanceof Name name && Set.of("pi", "e", "i", "infinity").contains(name.name());
  }

  /**
   * Returns whether the term consists of names, functions and quotients of them, absolute values
   * and tuples.
   */
  private static boolean symbols(Term term) {
    return switch (term) {
      case Name n -> true;
      case Words w -> true;
      case Apply a when a.head().equals("Power") ->
          symbols(a.parts().getFirst()) && a.parts().getLast() instanceof Num n && n.is(-1);
      case Apply a -> a.parts().stream().allMatch(Relations::symbols);
      case Group g -> g.kind() == Kind.TUPLE && g.items().stream().allMatch(Relations::symbols);
      default -> false;
    };
  }

  /** Returns whether two relations are equivalent, several in any order. */
  boolean same(Term g, Term p) throws FormulaException {
    if (g instanceof Relation a && p instanceof Relation b) {
      return sameRelation(a, b);
    }
    if (!(g instanceof Group x)
        || !(p instanceof Group y)
        || x.items().size() != y.items().size()) {
      return false;
    }
    Optional<Group> solutions = areAssignments(x) ? solutions(x) : Optional.empty();
    if (solutions.isPresent() && areAssignments(y)) {
      int width = solutions.get().items().getFirst().inside().size();
      Optional<Group> others = solutions(y);
      return others.isPresent()
          && others.get().items().getFirst().inside().size() == width
          && sameSolutions(solutionsAsRelations(x, width), solutionsAsRelations(y, width));
    }
    List<Term> rest = new ArrayList<>(y.items());
    for (Term item : x.items()) {
      Term partner = item instanceof Relation relation ? partner(relation, rest) : null;
      if (partner == null) {
        return false;
      }
      rest.remove(partner);
    }
    return true;
  }

  private boolean sameSolutions(List<Term> known, List<Term> given) throws FormulaException {
    List<Term> rest = new ArrayList<>(given);
    for (Term solution : known) {
      int before = rest.size();
      for (Term other : List.copyOf(rest)) {
        if (rest.size() == before && same(solution, other)) {
          rest.remove(other);
        }
      }
      if (rest.size() == before) {
        return false;
      }
    }
    return true;
  }

  private @Nullable Term partner(Relation relation, List<Term> among) throws FormulaException {
    for (Term other : among) {
      if (other instanceof Relation candidate && sameRelation(relation, candidate)) {
        return other;
      }
    }
    return null;
  }

  private boolean sameRelation(Relation g, Relation p) throws FormulaException {
    if (g.sign() == p.sign() && sides(g.left(), p.left()) && sides(g.right(), p.right())) {
      return true;
    }
    if (g.sign() == p.sign().flipped()
        && g.sign() != Sign.IN
        && sides(g.left(), p.right())
        && sides(g.right(), p.left())) {
      return true;
    }
    boolean types = g.sign() == p.sign() || g.sign() == p.sign().flipped();
    if (!types || g.sign() == Sign.IN || !scalar(g) || !scalar(p)) {
      return false;
    }
    double ratio = values.ratio(difference(g), difference(p));
    boolean turned = g.sign() != p.sign();
    return ratio != 0 && Double.isFinite(ratio) && (!g.sign().ordered() || ratio < 0 == turned);
  }

  private boolean sides(Term a, Term b) throws FormulaException {
    return !isRelation(a) && !isRelation(b) && comparison.sameTerm(a, b);
  }

  /** Returns whether both sides have a value, so that they can be subtracted. */
  private static boolean scalar(Relation relation) {
    return !relation.has(
        t ->
            t instanceof Words
                || t instanceof Group
                || t instanceof Term.Matrix
                || t instanceof Term.Interval);
  }

  private static Term difference(Relation relation) {
    return relation.right() instanceof Num n && n.is(0)
        ? relation.left()
        : Terms.sum(relation.left(), Terms.negative(relation.right()));
  }
}
