package roll.grader.math_verify.compare;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import roll.grader.math_verify.compare.Term.Apply;
import roll.grader.math_verify.compare.Term.Matrix;
import roll.grader.math_verify.compare.Term.Name;
import roll.grader.math_verify.compare.Term.Num;

/** Creates terms; evaluates rational arithmetic while results are small. */
final class Terms {
  static final Name INFINITY = new Name("infinity");

  /**
   * Maximum bits of a result; larger ones are left to the computer algebra, which has its own
   * limit.
   */
  private static final long BITS = 20_000;

  private Terms() {}

  /** Returns the number {@code digits}, such as 12, 0.5, .5 or 3. */
  static Num number(String digits) {
    int point = digits.indexOf('.');
    if (point < 0) {
      return new Num(new BigInteger(digits), BigInteger.ONE, false);
    }
    String decimals = digits.substring(point + 1);
    BigInteger top = new BigInteger("0" + digits.substring(0, point) + decimals);
    return ratio(top, BigInteger.TEN.pow(decimals.length()), !decimals.isEmpty());
  }

  /** Returns a number in lowest terms. */
  static Num ratio(BigInteger top, BigInteger bottom, boolean decimal) {
    BigInteger divisor = top.gcd(bottom);
    BigInteger sign = bottom.signum() < 0 ? divisor.negate() : divisor;
    return new Num(top.divide(sign), bottom.divide(sign), decimal);
  }

  static Term sum(Term a, Term b) {
    if (a instanceof Num x && b instanceof Num y && bits(x) + bits(y) <= BITS) {
      return ratio(
          x.top().multiply(y.bottom()).add(y.top().multiply(x.bottom())),
          x.bottom().multiply(y.bottom()),
          x.decimal() || y.decimal());
    }
    if (a instanceof Matrix x && b instanceof Matrix y) {
      return MatrixAlgebra.sum(x, y).<Term>map(m -> m).orElseGet(() -> apply("Plus", a, b));
    }
    return apply("Plus", a, b);
  }

  static Term product(Term a, Term b) {
    if (a instanceof Num x && b instanceof Num y && bits(x) + bits(y) <= BITS) {
      return ratio(
          x.top().multiply(y.top()), x.bottom().multiply(y.bottom()), x.decimal() || y.decimal());
    }
    return matrices(a, b).<Term>map(m -> m).orElseGet(() -> apply("Times", a, b));
  }

  private static long bits(Num n) {
    return (long) n.top().bitLength() + n.bottom().bitLength();
  }

  private static Optional<Matrix> matrices(Term a, Term b) {
    if (a instanceof Matrix x && b instanceof Matrix y) {
      return MatrixAlgebra.product(x, y);
    }
    return a instanceof Matrix x
        ? MatrixAlgebra.scaled(b, x)
        : b instanceof Matrix y ? MatrixAlgebra.scaled(a, y) : Optional.empty();
  }

  /** Returns the quotient of two terms; a division by 0 stays unevaluated. */
  static Term quotient(Term a, Term b) {
    return product(a, power(b, Num.of(-1)));
  }

  static Term negative(Term term) {
    return product(Num.of(-1), term);
  }

  static Term power(Term base, Term exponent) {
    if (base instanceof Num x && exponent instanceof Num n && small(x, n)) {
      int times = Math.abs(n.top().intValue());
      BigInteger top = x.top().pow(times);
      BigInteger bottom = x.bottom().pow(times);
      boolean decimal = x.decimal() || n.decimal();
      return n.top().signum() < 0 ? ratio(bottom, top, decimal) : ratio(top, bottom, decimal);
    }
    if (base instanceof Matrix matrix) {
      return MatrixAlgebra.power(matrix, exponent)
          .<Term>map(m -> m)
          .orElseGet(() -> apply("Power", base, exponent));
    }
    return apply("Power", base, exponent);
  }

  private static boolean small(Num base, Num exponent) {
    if (!exponent.bottom().equals(BigInteger.ONE) || exponent.top().bitLength() > 20) {
      return false;
    }
    if (base.top().signum() == 0) {
      return exponent.top().signum() > 0;
    }
    long bits = Math.max(base.top().bitLength(), base.bottom().bitLength());
    return bits * Math.abs(exponent.top().longValue()) <= BITS;
  }

  /** Returns a function; nested sums and products are flattened. */
  static Term apply(String head, Term... parts) {
    List<Term> flat = new ArrayList<>();
    for (Term part : parts) {
      boolean same = part instanceof Apply inner && inner.head().equals(head);
      if (same && (head.equals("Plus") || head.equals("Times"))) {
        flat.addAll(part.inside());
      } else {
        flat.add(part);
      }
    }
    return new Apply(head, List.copyOf(flat));
  }

  /** Returns {@code value} rounded half up to {@code places} decimals. */
  static BigInteger rounded(Num value, int places) {
    BigInteger scaled = value.top().multiply(BigInteger.TEN.pow(places)).shiftLeft(1);
    BigInteger half = scaled.signum() < 0 ? value.bottom().negate() : value.bottom();
    return scaled.add(half).divide(value.bottom().shiftLeft(1));
  }
}
