package roll.tool.calculator;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.matheclipse.core.expression.F;
import org.matheclipse.core.expression.S;
import org.matheclipse.core.interfaces.IExpr;

/**
 * The functions that expressions may call. Names are not looked up in the computer algebra, so its
 * other functions cannot be reached.
 */
final class CalculatorFunction {
  static final CalculatorFunction ADD = new CalculatorFunction(2, 2, a -> F.Plus(a[0], a[1]));
  static final CalculatorFunction SUBTRACT =
      new CalculatorFunction(2, 2, a -> F.Subtract(a[0], a[1]));
  static final CalculatorFunction MULTIPLY = new CalculatorFunction(2, 2, a -> F.Times(a[0], a[1]));
  static final CalculatorFunction DIVIDE = new CalculatorFunction(2, 2, a -> F.Divide(a[0], a[1]));
  static final CalculatorFunction FLOOR_DIVIDE =
      new CalculatorFunction(2, 2, a -> F.Floor(F.Divide(a[0], a[1])));
  static final CalculatorFunction MOD = new CalculatorFunction(2, 2, a -> F.Mod(a[0], a[1]), "mod");
  static final CalculatorFunction POWER =
      new CalculatorFunction(2, 2, a -> F.Power(a[0], a[1]), "pow");
  static final CalculatorFunction NEGATE = new CalculatorFunction(1, 1, a -> F.Negate(a[0]));
  static final CalculatorFunction FACTORIAL =
      new CalculatorFunction(1, 1, a -> F.Factorial(a[0]), "factorial");
  static final CalculatorFunction SQRT = new CalculatorFunction(1, 1, a -> F.Sqrt(a[0]), "sqrt");
  static final CalculatorFunction CBRT =
      new CalculatorFunction(1, 1, a -> F.Surd(a[0], F.C3), "cbrt");
  static final CalculatorFunction ABS = new CalculatorFunction(1, 1, a -> F.Abs(a[0]), "abs");
  static final CalculatorFunction FLOOR = new CalculatorFunction(1, 1, a -> F.Floor(a[0]), "floor");
  static final CalculatorFunction CEIL =
      new CalculatorFunction(1, 1, a -> F.Ceiling(a[0]), "ceil", "ceiling");
  static final CalculatorFunction ROUND = new CalculatorFunction(1, 1, a -> F.Round(a[0]), "round");
  static final CalculatorFunction MIN = new CalculatorFunction(1, 20, a -> F.ast(a, S.Min), "min");
  static final CalculatorFunction MAX = new CalculatorFunction(1, 20, a -> F.ast(a, S.Max), "max");
  static final CalculatorFunction GCD = new CalculatorFunction(2, 20, a -> F.ast(a, S.GCD), "gcd");
  static final CalculatorFunction LCM = new CalculatorFunction(2, 20, a -> F.ast(a, S.LCM), "lcm");
  static final CalculatorFunction BINOMIAL =
      new CalculatorFunction(2, 2, a -> F.Binomial(a[0], a[1]), "binomial", "comb");
  static final CalculatorFunction EXP = new CalculatorFunction(1, 1, a -> F.Exp(a[0]), "exp");
  static final CalculatorFunction LOG =
      new CalculatorFunction(
          1, 2, a -> a.length == 1 ? F.Log(a[0]) : F.Divide(F.Log(a[0]), F.Log(a[1])), "log", "ln");
  static final CalculatorFunction LOG10 =
      new CalculatorFunction(1, 1, a -> F.Divide(F.Log(a[0]), F.Log(F.C10)), "log10");
  static final CalculatorFunction LOG2 =
      new CalculatorFunction(1, 1, a -> F.Divide(F.Log(a[0]), F.Log(F.C2)), "log2");
  static final CalculatorFunction SIN = new CalculatorFunction(1, 1, a -> F.Sin(a[0]), "sin");
  static final CalculatorFunction COS = new CalculatorFunction(1, 1, a -> F.Cos(a[0]), "cos");
  static final CalculatorFunction TAN = new CalculatorFunction(1, 1, a -> F.Tan(a[0]), "tan");
  static final CalculatorFunction ASIN =
      new CalculatorFunction(1, 1, a -> F.ArcSin(a[0]), "asin", "arcsin");
  static final CalculatorFunction ACOS =
      new CalculatorFunction(1, 1, a -> F.ArcCos(a[0]), "acos", "arccos");
  static final CalculatorFunction ATAN =
      new CalculatorFunction(1, 1, a -> F.ArcTan(a[0]), "atan", "arctan");
  static final CalculatorFunction SINH = new CalculatorFunction(1, 1, a -> F.Sinh(a[0]), "sinh");
  static final CalculatorFunction COSH = new CalculatorFunction(1, 1, a -> F.Cosh(a[0]), "cosh");
  static final CalculatorFunction TANH = new CalculatorFunction(1, 1, a -> F.Tanh(a[0]), "tanh");
  static final CalculatorFunction SIMPLIFY =
      new CalculatorFunction(1, 1, a -> F.Simplify(a[0]), "simplify");
  static final CalculatorFunction EXPAND =
      new CalculatorFunction(1, 1, a -> F.Expand(a[0]), "expand");
  static final CalculatorFunction FACTOR =
      new CalculatorFunction(1, 1, a -> F.Factor(a[0]), "factor");
  static final CalculatorFunction DIFF = new CalculatorFunction(2, 2, a -> F.D(a[0], a[1]), "diff");

  private static final List<CalculatorFunction> NAMED =
      List.of(
          MOD, POWER, FACTORIAL, SQRT, CBRT, ABS, FLOOR, CEIL, ROUND, MIN, MAX, GCD, LCM, BINOMIAL,
          EXP, LOG, LOG10, LOG2, SIN, COS, TAN, ASIN, ACOS, ATAN, SINH, COSH, TANH, SIMPLIFY,
          EXPAND, FACTOR, DIFF);

  private final int fewest;
  private final int most;
  private final Maker maker;
  private final List<String> names;

  private CalculatorFunction(int fewest, int most, Maker maker, String... names) {
    this.fewest = fewest;
    this.most = most;
    this.maker = maker;
    this.names = List.of(names);
  }

  /** Creates an expression of the computer algebra. */
  private interface Maker {
    IExpr of(IExpr[] arguments);
  }

  /** Returns the function {@code name}; empty if it is unknown. */
  static Optional<CalculatorFunction> named(String name) {
    return NAMED.stream().filter(function -> function.names.contains(name)).findFirst();
  }

  /** Returns the names of all functions, for the model. */
  static String known() {
    return NAMED.stream()
        .flatMap(function -> function.names.stream().limit(1))
        .collect(Collectors.joining(", "));
  }

  /** Returns whether the function takes {@code arguments} arguments. */
  boolean takes(int arguments) {
    return fewest <= arguments && arguments <= most;
  }

  /** Describes the number of arguments of the function in words. */
  String count() {
    String most = this.most == 1 ? " argument" : " arguments";
    return (fewest == this.most ? "" : fewest + " to ") + this.most + most;
  }

  /** Returns the call of the function with {@code arguments}. */
  IExpr of(List<IExpr> arguments) {
    return maker.of(arguments.toArray(IExpr[]::new));
  }
}
