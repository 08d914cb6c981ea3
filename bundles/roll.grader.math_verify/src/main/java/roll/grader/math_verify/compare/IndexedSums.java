package roll.grader.math_verify.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.grader.math_verify.compare.Term.Apply;
import roll.grader.math_verify.compare.Term.Name;
import roll.grader.math_verify.compare.Term.Num;

/**
 * Sums and products over an index, {@code \sum} and {@code \prod}: functions of the summand, the
 * index and its bounds. The index gets a unique name and is never a constant.
 */
final class IndexedSums {
  /** The sum or product function of each LaTeX command. */
  static final Map<String, String> HEADS = Map.of("sum", "Sum", "prod", "Product");

  /** Maximum number of terms to evaluate. */
  private static final int MOST = 100;

  private IndexedSums() {}

  /** Parses the bounds and factors after {@code command}. */
  static Term read(String command, LatexParser parser, FactorParser factors)
      throws FormulaException {
    Term upper = parser.skip("^") ? factors.argument() : null;
    parser.expect("_");
    Name index;
    Term lower = null;
    if (parser.skip("{")) {
      index = index(factors.argument());
      if (parser.skip("=")) {
        lower = parser.sum();
      }
      parser.expect("}");
    } else {
      index = index(factors.argument());
    }
    if (upper == null && parser.skip("^")) {
      upper = factors.argument();
    }
    if ((lower == null) != (upper == null)) {
      throw new FormulaException("one bound of two");
    }
    List<Term> parts = new ArrayList<>();
    parts.add(renamed(parser.totaled(), index, bound(index)));
    parts.add(bound(index));
    if (lower != null && upper != null) {
      parts.add(lower);
      parts.add(upper);
    }
    Apply total = new Apply(HEADS.getOrDefault(command, command), List.copyOf(parts));
    return command.equals("sum") ? withFactors(total) : total;
  }

  /** Moves factors without the index in front of {@code sum}. */
  private static Term withFactors(Apply sum) {
    if (!(sum.parts().getFirst() instanceof Apply body) || !body.head().equals("Times")) {
      return sum;
    }
    Name index = (Name) sum.parts().get(1);
    Term outside = Num.of(1);
    Term inside = Num.of(1);
    for (Term factor : body.parts()) {
      if (factor.has(inner -> inner.equals(index)) || factor.has(subscript(index))) {
        inside = Terms.product(inside, factor);
      } else {
        outside = Terms.product(outside, factor);
      }
    }
    List<Term> parts = new ArrayList<>(sum.parts());
    parts.set(0, inside);
    return Terms.product(outside, new Apply(sum.head(), List.copyOf(parts)));
  }

  /** Returns a test for symbols with the index in their subscript. */
  private static Predicate<Term> subscript(Name index) {
    Pattern such = Pattern.compile("_.*" + Pattern.quote(index.name().substring(1)) + ".*");
    return term -> term instanceof Name name && such.matcher(name.name()).find();
  }

  private static Name index(Term term) throws FormulaException {
    if (term instanceof Name name) {
      return name;
    }
    throw new FormulaException("an index");
  }

  private static Name bound(Name index) {
    return new Name("#" + index.name());
  }

  private static Term renamed(Term term, Name from, Name to) {
    return switch (term) {
      case Name name -> name.equals(from) ? to : name;
      case Apply apply ->
          new Apply(
              apply.head(), apply.parts().stream().map(part -> renamed(part, from, to)).toList());
      default -> term;
    };
  }

  /** Returns the term of {@code total} at index {@code value}, with sums of numbers evaluated. */
  static Term at(Apply total, int value) {
    return at(total.parts().getFirst(), (Name) total.parts().get(1), Num.of(value));
  }

  private static Term at(Term term, Name index, Num value) {
    if (!(term instanceof Apply apply)) {
      return term.equals(index) ? value : term;
    }
    List<Term> parts = apply.parts().stream().map(part -> at(part, index, value)).toList();
    return switch (apply.head()) {
      case "Plus" -> parts.stream().reduce(Terms::sum).orElseThrow();
      case "Times" -> parts.stream().reduce(Terms::product).orElseThrow();
      case "Power" -> Terms.power(parts.getFirst(), parts.getLast());
      default -> new Apply(apply.head(), parts);
    };
  }

  static boolean isOne(Term term) {
    return term instanceof Apply apply && HEADS.containsValue(apply.head());
  }

  /**
   * Returns the index values if the terms can be computed one by one; null if the bounds are not
   * numbers, there are too many terms, or a subscript or another total depends on the index.
   */
  static int @Nullable [] bounds(Apply total) {
    List<Term> parts = total.parts();
    if (parts.size() < 4
        || !(parts.get(2) instanceof Num low && parts.get(3) instanceof Num high)
        || !whole(low)
        || !whole(high)) {
      return null;
    }
    int first = low.top().intValue();
    int last = high.top().intValue();
    Predicate<Term> depends = subscript((Name) parts.get(1));
    boolean plain = !parts.getFirst().has(inner -> isOne(inner) || depends.test(inner));
    return plain && last >= first && last - first < MOST ? new int[] {first, last} : null;
  }

  private static boolean whole(Num n) {
    return n.is(n.top().bitLength() < 20 ? n.top().intValue() : Long.MIN_VALUE);
  }
}
