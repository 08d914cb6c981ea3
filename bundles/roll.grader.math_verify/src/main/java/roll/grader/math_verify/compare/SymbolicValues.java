package roll.grader.math_verify.compare;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.matheclipse.core.eval.EvalEngine;
import org.matheclipse.core.expression.F;
import org.matheclipse.core.expression.S;
import org.matheclipse.core.interfaces.IExpr;
import org.matheclipse.core.interfaces.ISymbol;
import roll.grader.math_verify.compare.Term.Apply;
import roll.grader.math_verify.compare.Term.Name;
import roll.grader.math_verify.compare.Term.Num;

/** Computes and compares values by computer algebra. */
public final class SymbolicValues {
  private static final Map<String, ISymbol> HEADS =
      Stream.of(
              S.Plus,
              S.Times,
              S.Power,
              S.Factorial,
              S.Binomial,
              S.Abs,
              S.Floor,
              S.Ceiling,
              S.GCD,
              S.LCM,
              S.Max,
              S.Min,
              S.Log,
              S.Sin,
              S.Cos,
              S.Tan,
              S.Cot,
              S.Sec,
              S.Csc,
              S.Sinh,
              S.Cosh,
              S.Tanh,
              S.ArcSin,
              S.ArcCos,
              S.ArcTan,
              S.ArcCot)
          .collect(Collectors.toMap(ISymbol::fullFormString, head -> head));

  /** Test points for symbols: complex, negative and positive values, none of them special. */
  private static final long[][] POINTS = {{-7, 5, 3, 11}, {13, 7, 0, 1}, {-17, 9, 0, 1}};

  private static final int DIGITS = 30;

  /** Maximum absolute value of a numeric difference that counts as 0. */
  private static final double ZERO = 1e-25;

  private static final BigInteger LARGEST_FACTORIAL = BigInteger.valueOf(2_000);
  private static final int EXPONENT_BITS = 14;

  private final EvalEngine engine;
  private final double near;
  private final double unit;

  /** Symbols by generated names without a meaning in the computer algebra. */
  private final Map<String, ISymbol> symbols = new HashMap<>();

  private final IndexedSumSymbols totals = new IndexedSumSymbols();

  /** Creates values computed by {@code engine} with {@code settings}. */
  public SymbolicValues(EvalEngine engine, ComparisonSettings settings) {
    this.engine = engine;
    this.near = Math.pow(10, -settings.numericPrecision());
    this.unit = Math.pow(10, settings.floatRounding());
  }

  /** Returns whether two terms without sets, relations and words have equal values. */
  boolean same(Term a, Term b) throws FormulaException {
    IExpr left = expression(a);
    IExpr right = expression(b);
    SortedSet<String> names = new TreeSet<>();
    names(a, names);
    names(b, names);
    boolean exact = !a.has(SymbolicValues::decimal) && !b.has(SymbolicValues::decimal);
    if (names.isEmpty()) {
      return sameNumber(a, left, b, right, exact);
    }
    if (ArithmeticCost.tooMuch(a) || ArithmeticCost.tooMuch(b)) {
      throw new FormulaException("too much work");
    }
    int agreed = 0;
    for (long[] point : POINTS) {
      List<String> symbols = List.copyOf(names);
      Boolean here = equal(at(left, symbols, point), at(right, symbols, point), exact);
      if (Boolean.FALSE.equals(here)) {
        return false;
      }
      agreed += here == null ? 0 : 1;
    }
    return agreed == POINTS.length || zero(F.Simplify(F.Subtract(left, right)));
  }

  /** Returns the real value; NaN without one. */
  double real(Term term) throws FormulaException {
    IExpr value = expression(term);
    if (value.equals(F.CInfinity)) {
      return Double.POSITIVE_INFINITY;
    }
    IExpr number = engine.evaluate(value);
    if (number.equals(F.CNInfinity)) {
      return Double.NEGATIVE_INFINITY;
    }
    IExpr decimal = engine.evaluate(F.N(number));
    return decimal.isReal() ? decimal.evalf() : Double.NaN;
  }

  /** Returns the quotient of two terms if it is a nonzero constant; otherwise 0. */
  double ratio(Term a, Term b) throws FormulaException {
    IExpr quotient = engine.evaluate(F.Simplify(F.Divide(expression(a), expression(b))));
    IExpr decimal = engine.evaluate(F.N(quotient));
    return decimal.isReal() ? decimal.evalf() : 0;
  }

  private boolean sameNumber(Term a, IExpr left, Term b, IExpr right, boolean exact) {
    if (!exact && (a instanceof Num || b instanceof Num)) {
      double x = number(left);
      double y = number(right);
      double places = Math.max(1, Math.abs(x)) * 1e-15;
      return Math.abs(Math.rint(x * unit) - Math.rint(y * unit)) < 0.5 || Math.abs(x - y) <= places;
    }
    Boolean equal = equal(left, right, exact);
    return equal == null ? zero(F.Simplify(F.Subtract(left, right))) : equal;
  }

  /**
   * Returns whether two numbers are equal; null if one has no value. The difference is computed
   * with enough digits to be exact, whatever their size.
   *
   * @param exact whether both are without decimals, so that any difference counts
   */
  private @Nullable Boolean equal(IExpr a, IExpr b, boolean exact) {
    IExpr difference = engine.evaluate(F.Subtract(a, b));
    if (difference.isZero()) {
      return true;
    }
    if (exact && difference.isExactNumber()) {
      return false;
    }
    double scale = number(F.Abs(a)) + number(F.Abs(b));
    if (!Double.isFinite(scale)) {
      return null;
    }
    int digits = DIGITS + (int) Math.ceil(Math.log10(Math.max(1, scale)));
    IExpr size = engine.evaluate(F.N(F.Abs(difference), F.ZZ(digits)));
    double smallest = exact ? Math.min(1, scale) * ZERO : scale * near;
    // Symja's Abs keeps the sign of a difference that a double cannot tell from 0.
    return size.isReal() ? (Boolean) (Math.abs(size.evalf()) <= smallest) : null;
  }

  /** Returns the real value as a double; NaN without one. */
  private double number(IExpr value) {
    IExpr decimal = engine.evaluate(F.N(value));
    return decimal.isReal() ? decimal.evalf() : Double.NaN;
  }

  private IExpr at(IExpr expression, List<String> names, long[] point) {
    IExpr result = expression;
    for (int i = 0; i < names.size(); i++) {
      IExpr real = F.QQ(point[0] * (i + 2) - i, point[1]);
      IExpr value = F.Plus(real, F.Times(F.QQ(point[2] * (i + 1), point[3]), F.CI));
      result = F.subst(result, symbol(names.get(i)), value);
    }
    return result;
  }

  private boolean zero(IExpr expression) {
    return engine.evaluate(expression).isZero();
  }

  private static boolean decimal(Term term) {
    return term instanceof Num n && n.decimal();
  }

  private void names(Term term, SortedSet<String> names) throws FormulaException {
    if (term instanceof Apply total
        && IndexedSums.isOne(total)
        && IndexedSums.bounds(total) == null) {
      names.add(totals.name(total, this::same));
      return;
    }
    if (term instanceof Name name
        && symbol(name.name()) instanceof ISymbol symbol
        && symbol.isVariable()) {
      names.add(name.name());
    }
    for (Term inner : term.inside()) {
      names(inner, names);
    }
  }

  private IExpr total(Apply total) throws FormulaException {
    int[] bounds = IndexedSums.bounds(total);
    if (bounds == null) {
      return symbol(totals.name(total, this::same));
    }
    List<IExpr> parts = new ArrayList<>();
    for (int i = bounds[0]; i <= bounds[1]; i++) {
      parts.add(expression(IndexedSums.at(total, i)));
    }
    return F.ast(parts.toArray(IExpr[]::new), total.head().equals("Sum") ? S.Plus : S.Times);
  }

  private IExpr expression(Term term) throws FormulaException {
    return switch (term) {
      case Num n -> F.fraction(n.top(), n.bottom());
      case Name name -> symbol(name.name());
      case Apply total when IndexedSums.isOne(total) -> total(total);
      case Apply apply -> call(apply);
      default -> throw new FormulaException("no value");
    };
  }

  private IExpr call(Apply apply) throws FormulaException {
    ISymbol head = HEADS.get(apply.head());
    if (head == null || tooLarge(apply)) {
      throw new FormulaException(apply.head());
    }
    List<IExpr> parts = new ArrayList<>();
    for (Term part : apply.parts()) {
      parts.add(expression(part));
    }
    return F.ast(parts.toArray(IExpr[]::new), head);
  }

  /** Returns whether the number would have too many digits. */
  private static boolean tooLarge(Apply apply) {
    Term last = apply.parts().getLast();
    return switch (apply.head()) {
      case "Power" -> last instanceof Num n ? n.top().bitLength() > EXPONENT_BITS : tower(apply);
      case "Factorial" -> last instanceof Num n && n.top().compareTo(LARGEST_FACTORIAL) > 0;
      case "Binomial" ->
          apply.parts().stream()
              .anyMatch(part -> part instanceof Num n && n.top().bitLength() > EXPONENT_BITS);
      default -> false;
    };
  }

  /** Returns whether the term is a power of numbers whose exponent is a power or a factorial. */
  private static boolean tower(Apply apply) {
    Term exponent = apply.parts().getLast();
    boolean grows =
        exponent.has(
            t ->
                t instanceof Apply a
                    && (a.head().equals("Factorial")
                        || (a.head().equals("Power")
                            && a.parts().getLast() instanceof Num n
                            && n.top().bitLength() > 6)));
    return grows && !exponent.has(Name.class::isInstance);
  }

  private IExpr symbol(String name) {
    return switch (name) {
      case "pi" -> S.Pi;
      case "e" -> S.E;
      case "i" -> F.CI;
      case "infinity" -> F.CInfinity;
      default -> symbols.computeIfAbsent(name, key -> F.Dummy("x" + symbols.size()));
    };
  }
}
