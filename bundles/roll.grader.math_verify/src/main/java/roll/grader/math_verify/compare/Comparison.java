package roll.grader.math_verify.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.grader.math_verify.compare.Term.Apply;
import roll.grader.math_verify.compare.Term.Group;
import roll.grader.math_verify.compare.Term.Interval;
import roll.grader.math_verify.compare.Term.Kind;
import roll.grader.math_verify.compare.Term.Matrix;
import roll.grader.math_verify.compare.Term.Name;
import roll.grader.math_verify.compare.Term.Relation;
import roll.grader.math_verify.compare.Term.Words;

/** Math-Verify's rules for the equality of a prediction and a known answer, in order. */
public final class Comparison {
  private final ComparisonSettings settings;
  private final SymbolicValues values;
  private final RealSets ranges;
  private final Relations relations;

  /** Creates a comparison by {@code values} with {@code settings}. */
  public Comparison(SymbolicValues values, ComparisonSettings settings) {
    this.settings = settings;
    this.values = values;
    this.ranges = new RealSets(values);
    this.relations = new Relations(values, this);
  }

  /** Returns whether {@code prediction} equals {@code gold}; not symmetric. */
  public boolean same(Term gold, Term prediction) throws FormulaException {
    Term g = gold;
    Term p = settings.strict() ? prediction : SymbolRenaming.asIn(gold, prediction);
    if (Relations.areAssignments(g) && !Relations.isRelation(p)) {
      Optional<Group> solutions = Relations.solutions(g);
      if (solutions.isPresent()) {
        return sameTerm(solutions.get(), p);
      }
      boolean set = p instanceof Group given && given.kind() != Kind.TUPLE;
      boolean roots = set && Relations.areRoots(g);
      p = set && !roots ? new Group(Kind.TUPLE, p.inside()) : p;
      g = new Group(roots ? Kind.SET : Kind.TUPLE, Relations.values(g).items());
    } else if (Relations.areAssignments(p) && !Relations.isRelation(g)) {
      p = Relations.solutions(p).orElse(Relations.values(p));
    } else if (Relations.isEquation(p) && !Relations.isRelation(g)) {
      p = ((Relation) p).right();
    } else if (Relations.isAssignment(g) && !Relations.isRelation(p)) {
      g = ((Relation) g).right();
    }
    p = Relations.isMember(p) && !Relations.isRelation(g) ? ((Relation) p).right() : p;
    if (Relations.isRelation(p) && !Relations.isRelation(g)) {
      return settings.relationsForSets() && isSet(g) && sameRange(g, p);
    }
    if (Relations.isRelation(g) && !Relations.isRelation(p)) {
      return isSet(p) && sameRange(g, p);
    }
    return sameTerm(g, p);
  }

  /** Compares like {@link #same} two terms of which both or none are relations. */
  boolean sameTerm(Term g, Term p) throws FormulaException {
    Boolean fast = DirectComparison.same(g, p, settings.floatRounding());
    if (fast != null) {
      return fast;
    }
    if (Relations.isRelation(g) && Relations.isRelation(p)) {
      return relations.same(g, p) || sameSolutions(g, p);
    }
    if (RealSets.isRange(g) || RealSets.isRange(p)) {
      return sameRange(g, p);
    }
    if (g instanceof Group || p instanceof Group) {
      return sameItems(group(g), group(p));
    }
    if (g instanceof Matrix a && p instanceof Matrix b) {
      return sameMatrix(a, b);
    }
    if (g instanceof Words || p instanceof Words) {
      return spelled(g, p);
    }
    if (g instanceof Apply a && p instanceof Apply b && a.head().equals("Ratio")) {
      return b.head().equals("Ratio") && sameInOrder(a.parts(), b.parts());
    }
    return !(g instanceof Matrix) && !(p instanceof Matrix) && values.same(g, p);
  }

  /** Returns whether two inequalities in one symbol have equal solutions. */
  private boolean sameSolutions(Term g, Term p) throws FormulaException {
    Set<Term> unknown = Relations.unknowns(g);
    return unknown.size() == 1 && unknown.equals(Relations.unknowns(p)) && sameRange(g, p);
  }

  private static boolean isSet(Term term) {
    return RealSets.isRange(term) || term instanceof Group;
  }

  private boolean sameRange(Term g, Term p) throws FormulaException {
    Optional<List<Interval>> a = ranges.of(g);
    Optional<List<Interval>> b = ranges.of(p);
    if (a.isPresent() && b.isPresent()) {
      return samePieces(a.get(), b.get());
    }
    return g instanceof Interval x && p instanceof Interval y && samePieces(List.of(x), List.of(y));
  }

  private boolean samePieces(List<Interval> a, List<Interval> b) throws FormulaException {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      Interval x = a.get(i);
      Interval y = b.get(i);
      boolean ends = x.openLow() == y.openLow() && x.openHigh() == y.openHigh();
      if (!ends || !sameTerm(x.low(), y.low()) || !sameTerm(x.high(), y.high())) {
        return false;
      }
    }
    return true;
  }

  /** Returns {@code term} as a group; a single term as a set of one. */
  private static Group group(Term term) {
    return term instanceof Group group ? group : new Group(Kind.SET, List.of(term));
  }

  /** Compares items in order if the known answer is a tuple, otherwise in any order. */
  private boolean sameItems(Group g, Group p) throws FormulaException {
    List<Term> left = g.kind() == Kind.TUPLE ? g.items() : distinct(g.items());
    List<Term> right = p.kind() == Kind.TUPLE ? p.items() : distinct(p.items());
    if (left.size() != right.size()) {
      return false;
    }
    if (g.kind() == Kind.TUPLE) {
      return sameInOrder(left, right);
    }
    List<Term> rest = new ArrayList<>(right);
    for (Term item : left) {
      Term partner = partner(item, rest);
      if (partner == null) {
        return false;
      }
      rest.remove(partner);
    }
    return true;
  }

  private @Nullable Term partner(Term item, List<Term> among) throws FormulaException {
    for (Term other : among) {
      if (sameTerm(item, other)) {
        return other;
      }
    }
    return null;
  }

  private static List<Term> distinct(List<Term> items) {
    return items.stream()
        .flatMap(
            t ->
                t instanceof Group g && g.kind() == Kind.EITHER
                    ? g.items().stream()
                    : java.util.stream.Stream.of(t))
        .distinct()
        .toList();
  }

  private boolean sameMatrix(Matrix a, Matrix b) throws FormulaException {
    if (a.rows().size() != b.rows().size()
        || a.rows().getFirst().size() != b.rows().getFirst().size()) {
      return false;
    }
    return sameInOrder(a.inside(), b.inside());
  }

  private boolean sameInOrder(List<Term> left, List<Term> right) throws FormulaException {
    for (int i = 0; i < left.size(); i++) {
      if (left.size() != right.size() || !sameTerm(left.get(i), right.get(i))) {
        return false;
      }
    }
    return left.size() == right.size();
  }

  /** Returns whether adjacent letters of one side spell the words of the other. */
  private static boolean spelled(Term g, Term p) {
    return spelling(g).equals(spelling(p)) && !spelling(g).isEmpty();
  }

  private static String spelling(Term term) {
    return switch (term) {
      case Words words -> words.text();
      case Name name -> AnswerParser.words(name.name());
      case Apply a
          when a.head().equals("Times") && a.parts().stream().allMatch(Name.class::isInstance) ->
          AnswerParser.words(
              String.join("", a.parts().stream().map(part -> ((Name) part).name()).toList()));
      default -> "";
    };
  }
}
