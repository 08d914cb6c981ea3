package roll.grader.math_verify.compare;

import org.jspecify.annotations.Nullable;
import roll.grader.math_verify.compare.Term.Apply;
import roll.grader.math_verify.compare.Term.Name;
import roll.grader.math_verify.compare.Term.Num;
import roll.grader.math_verify.compare.Term.Words;

/** Compares equal terms, plain numbers, single symbols and words without computer algebra. */
public final class DirectComparison {
  private DirectComparison() {}

  /**
   * Returns whether the terms are equal; null if that needs computer algebra.
   *
   * @param places decimals for rounding if a number has a decimal point
   */
  public static @Nullable Boolean same(Term g, Term p, int places) {
    if (g.has(DirectComparison::undefined) || p.has(DirectComparison::undefined)) {
      return false;
    }
    if (g.equals(p)) {
      return true;
    }
    if (g instanceof Num a && p instanceof Num b) {
      boolean decimal = a.decimal() || b.decimal();
      return decimal ? Terms.rounded(a, places).equals(Terms.rounded(b, places)) : a.sameValue(b);
    }
    if (g instanceof Name a && p instanceof Name b) {
      if (a.name().length() > 1 && a.name().equalsIgnoreCase(b.name())) {
        return true;
      }
      return (constant(a) && constant(b)) ? null : (Boolean) false;
    }
    if (g instanceof Words a && p instanceof Words b) {
      return a.text().equals(b.text());
    }
    boolean words = g instanceof Words || p instanceof Words;
    boolean number = g instanceof Num || p instanceof Num;
    return (words && number) ? (Boolean) false : null;
  }

  private static boolean constant(Name name) {
    return name.name().equals("e") || name.name().equals("pi");
  }

  /** Returns whether {@code term} divides by 0. */
  private static boolean undefined(Term term) {
    return term instanceof Apply a
        && a.head().equals("Power")
        && a.parts().getFirst() instanceof Num base
        && base.is(0)
        && a.parts().getLast() instanceof Num exponent
        && exponent.top().signum() <= 0;
  }
}
