package roll.grader.math_verify.compare;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.grader.math_verify.compare.Term.Apply;
import roll.grader.math_verify.compare.Term.Group;
import roll.grader.math_verify.compare.Term.Interval;
import roll.grader.math_verify.compare.Term.Matrix;
import roll.grader.math_verify.compare.Term.Name;
import roll.grader.math_verify.compare.Term.Num;
import roll.grader.math_verify.compare.Term.Relation;
import roll.grader.math_verify.compare.Term.Words;

/** Renames the symbols of a term to those of another by order. */
final class SymbolRenaming {
  private static final Set<String> CONSTANTS = Set.of("pi", "e", "i", "infinity", "setR");

  private final Map<Name, Name> names = new HashMap<>();

  private SymbolRenaming(List<Name> from, List<Name> to) {
    for (int i = 0; i < from.size(); i++) {
      names.put(from.get(i), to.get(i));
    }
  }

  /**
   * Returns {@code term} with the symbols of {@code model} if it has equally many; otherwise
   * unchanged.
   */
  static Term asIn(Term model, Term term) {
    List<Name> from = symbols(term);
    List<Name> to = symbols(model);
    return from.size() == to.size() && !from.equals(to)
        ? new SymbolRenaming(from, to).of(term)
        : term;
  }

  private static List<Name> symbols(Term term) {
    Set<Name> found = new LinkedHashSet<>();
    collect(term, found);
    return List.copyOf(found);
  }

  private static void collect(Term term, Set<Name> found) {
    if (term instanceof Name name && !CONSTANTS.contains(name.name())) {
      found.add(name);
    }
    term.inside().forEach(inner -> collect(inner, found));
  }

  private Term of(Term term) {
    return switch (term) {
      case Num n -> n;
      case Words w -> w;
      case Name name -> names.getOrDefault(name, name);
      case Apply a -> new Apply(a.head(), all(a.parts()));
      case Group g -> new Group(g.kind(), all(g.items()));
      case Interval i -> new Interval(of(i.low()), of(i.high()), i.openLow(), i.openHigh());
      case Relation r -> new Relation(r.sign(), of(r.left()), of(r.right()));
      case Matrix m -> new Matrix(m.rows().stream().map(this::all).toList());
    };
  }

  private List<Term> all(List<Term> terms) {
    List<Term> renamed = new ArrayList<>();
    terms.forEach(term -> renamed.add(of(term)));
    return List.copyOf(renamed);
  }
}
