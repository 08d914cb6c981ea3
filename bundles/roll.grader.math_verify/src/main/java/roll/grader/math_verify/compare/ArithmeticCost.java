package roll.grader.math_verify.compare;

import java.math.BigInteger;
import java.util.List;
import roll.grader.math_verify.compare.Term.Apply;
import roll.grader.math_verify.compare.Term.Name;
import roll.grader.math_verify.compare.Term.Num;

/**
 * Estimates the work of exact arithmetic on a term with rational values of its symbols, since the
 * computer algebra checks no timeout within a sum or a product.
 */
final class ArithmeticCost {
  /** Maximum work, about half a second, in squared 64-bit words. */
  private static final double MOST = 3e7;

  private static final double WORD = 64;

  /** Bits of a symbol's value, and of values that are not rational. */
  private static final double SYMBOL_BITS = 24;

  private static final double INEXACT_BITS = 128;

  private double work;

  private ArithmeticCost() {}

  /** Returns whether the sums and products in {@code term} would take too long. */
  static boolean tooMuch(Term term) {
    ArithmeticCost growth = new ArithmeticCost();
    growth.bits(term);
    return growth.work > MOST;
  }

  /** Returns the length of a term's value in bits, and adds the work of computing it. */
  private double bits(Term term) {
    return switch (term) {
      case Num n -> length(n);
      case Name n -> SYMBOL_BITS;
      case Apply a when a.head().equals("Plus") || a.head().equals("Times") -> combined(a);
      case Apply a when a.head().equals("Power") -> power(a.parts().getFirst(), a.parts().get(1));
      default -> {
        term.inside().forEach(this::bits);
        yield INEXACT_BITS;
      }
    };
  }

  private static double length(Num n) {
    return n.top().bitLength() + n.bottom().bitLength();
  }

  /**
   * Returns the combined length of the factors, or of the terms of a sum with different
   * denominators.
   */
  private double combined(Apply apply) {
    List<Term> parts = apply.parts();
    boolean together = apply.head().equals("Times") || apply.has(ArithmeticCost::divides);
    double length = 0;
    for (Term part : parts) {
      double bits = bits(part);
      length = together ? length + bits : Math.max(length, bits);
    }
    double words = length / WORD;
    work += parts.size() * words * words;
    return length;
  }

  private static boolean divides(Term term) {
    return (term instanceof Num n && !n.bottom().equals(BigInteger.ONE))
        || (term instanceof Apply power
            && power.head().equals("Power")
            && power.parts().getLast() instanceof Num exponent
            && exponent.top().signum() < 0);
  }

  private double power(Term base, Term exponent) {
    double bits = bits(base);
    bits(exponent);
    boolean whole = exponent instanceof Num n && n.bottom().equals(BigInteger.ONE);
    return whole && exponent instanceof Num n ? bits * n.top().abs().doubleValue() : INEXACT_BITS;
  }
}
