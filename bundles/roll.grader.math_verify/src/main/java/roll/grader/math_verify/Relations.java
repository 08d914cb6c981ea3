package roll.grader.math_verify;

import java.util.List;
import roll.grader.math_verify.Term.Apply;
import roll.grader.math_verify.Term.Group;
import roll.grader.math_verify.Term.Kind;
import roll.grader.math_verify.Term.Name;
import roll.grader.math_verify.Term.Num;
import roll.grader.math_verify.Term.Relation;
import roll.grader.math_verify.Term.Sign;
import roll.grader.math_verify.Term.Words;

/** Equations and inequalities: which they are, and whether they say the same. */
final class Relations {
  private final Values values;
  private final Comparison comparison;

  Relations(Values values, Comparison comparison) {
    this.values = values;
    this.comparison = comparison;
  }

  /** A relation, or several that all hold. */
  static boolean isRelation(Term term) {
    return term instanceof Relation || (term instanceof Group g && g.kind() == Kind.AND);
  }

  static boolean isEquation(Term term) {
    return term instanceof Relation r && r.sign() == Sign.EQUAL;
  }

  static boolean isMember(Term term) {
    return term instanceof Relation r && r.sign() == Sign.IN;
  }

  /** An equation with nothing but symbols on its left side. */
  static boolean isAssignment(Term term) {
    return (isEquation(term) || isMember(term)) && symbols(((Relation) term).left());
  }

  private static boolean symbols(Term term) {
    return term instanceof Name
        || term instanceof Words
        || (term instanceof Apply a
            && a.head().equals("Times")
            && a.parts().stream().allMatch(Relations::symbols));
  }

  /**
   * What is about the same as something, without the approximation: the value of a symbol, or the
   * exact side.
   */
  static Term exact(Term term) {
    if (!(term instanceof Relation r) || r.sign() != Sign.ABOUT) {
      return term;
    }
    return r.left() instanceof Name name && !name.name().equals("pi") ? r.right() : r.left();
  }

  /** Whether two relations say the same; of several each in its place. */
  boolean same(Term g, Term p) throws Unreadable {
    if (g instanceof Relation a && p instanceof Relation b) {
      return sameRelation(a, b);
    }
    if (!(g instanceof Group x)
        || !(p instanceof Group y)
        || x.items().size() != y.items().size()) {
      return false;
    }
    return inOrder(x.items(), y.items()) || inOrder(x.items(), y.items().reversed());
  }

  private boolean inOrder(List<Term> g, List<Term> p) throws Unreadable {
    for (int i = 0; i < g.size(); i++) {
      boolean chain = g.get(i) instanceof Relation && p.get(i) instanceof Relation;
      if (!chain || !sameRelation((Relation) g.get(i), (Relation) p.get(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean sameRelation(Relation g, Relation p) throws Unreadable {
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
    if (!types || g.sign() == Sign.IN || g.sign() == Sign.ABOUT || !scalar(g) || !scalar(p)) {
      return false;
    }
    double ratio = values.ratio(difference(g), difference(p));
    boolean turned = g.sign() != p.sign();
    return ratio != 0 && Double.isFinite(ratio) && (!g.sign().ordered() || ratio < 0 == turned);
  }

  private boolean sides(Term a, Term b) throws Unreadable {
    return !isRelation(a) && !isRelation(b) && comparison.sameTerm(a, b);
  }

  /** Whether both sides have a value, so that they can be subtracted. */
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
