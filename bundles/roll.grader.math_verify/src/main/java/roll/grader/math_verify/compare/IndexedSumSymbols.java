package roll.grader.math_verify.compare;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.grader.math_verify.compare.Term.Apply;

/** Symbols for {@link IndexedSums} that are not computed; equal ones share a symbol. */
final class IndexedSumSymbols {
  private final Map<Apply, String> known = new LinkedHashMap<>();

  /** Compares the values of two terms. */
  @FunctionalInterface
  interface Sameness {
    /**
     * Returns whether the values are equal.
     *
     * @throws FormulaException if that cannot be decided
     */
    boolean of(Term a, Term b) throws FormulaException;
  }

  /** Returns the name of the symbol for {@code total}. */
  String name(Apply total, Sameness same) throws FormulaException {
    for (Map.Entry<Apply, String> other : known.entrySet()) {
      if (equal(other.getKey(), total, same)) {
        return other.getValue();
      }
    }
    String name = "#" + known.size();
    known.put(total, name);
    return name;
  }

  private static boolean equal(Apply a, Apply b, Sameness same) throws FormulaException {
    List<Term> left = a.parts();
    List<Term> right = b.parts();
    boolean alike =
        a.head().equals(b.head())
            && left.size() == right.size()
            && left.get(1).equals(right.get(1));
    for (int i = 0; alike && i < left.size(); i++) {
      alike = left.get(i).equals(right.get(i)) || same.of(left.get(i), right.get(i));
    }
    return alike;
  }
}
