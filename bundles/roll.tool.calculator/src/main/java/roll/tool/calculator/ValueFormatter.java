package roll.tool.calculator;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.matheclipse.core.eval.EvalEngine;
import org.matheclipse.core.expression.F;
import org.matheclipse.core.expression.S;
import org.matheclipse.core.interfaces.IExpr;
import org.matheclipse.core.interfaces.IFraction;
import org.matheclipse.core.interfaces.IInteger;
import org.matheclipse.core.interfaces.ISymbol;
import roll.tool.calculator.Formula.Call;
import roll.tool.calculator.Formula.Literal;
import roll.tool.calculator.Formula.Symbol;

/** Formats the value of an expression. */
final class ValueFormatter {
  /** Maximum length of a formatted result. */
  private static final int LONGEST = 2_000;

  private static final int SIGNIFICANT = 6;
  private static final int LARGE_BITS = 14;
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9]*");

  /** Line breaks in long results. */
  private static final Pattern LINE_END = Pattern.compile("\\\\?\\R");

  /** Python's names of the computer algebra's functions. */
  private static final Map<String, String> PYTHON =
      Map.ofEntries(
          Map.entry("ArcSin", "asin"),
          Map.entry("ArcCos", "acos"),
          Map.entry("ArcTan", "atan"),
          Map.entry("Ceiling", "ceil"),
          Map.entry("I", "I"),
          Map.entry("E", "E"));

  /** Symbols by generated names without a meaning in the computer algebra, and back. */
  private final Map<String, ISymbol> symbols = new HashMap<>();

  private final Map<String, String> names = new HashMap<>();

  private ValueFormatter() {}

  /**
   * Returns the value of {@code formula} as text.
   *
   * @throws ArithmeticException if the value is not finite or too long
   */
  static String of(Formula formula, EvalEngine engine) {
    return new ValueFormatter().text(formula, engine);
  }

  private String text(Formula formula, EvalEngine engine) {
    IExpr given = expression(formula);
    IExpr value = engine.evaluate(shaped(formula) ? given : F.Simplify(given));
    if (value.isDirectedInfinity() || value.isIndeterminate()) {
      throw new ArithmeticException("the value is not defined; is there a division by zero?");
    }
    String text = text(value, formula.decimal(), engine);
    if (text.length() > LONGEST) {
      throw new ArithmeticException("the result has more than " + LONGEST + " characters");
    }
    return text;
  }

  /** Returns whether the expression determines the form of its result. */
  private static boolean shaped(Formula formula) {
    return formula instanceof Call call
        && (call.function() == CalculatorFunction.EXPAND
            || call.function() == CalculatorFunction.FACTOR);
  }

  private String text(IExpr value, boolean decimal, EvalEngine engine) {
    if (value instanceof IInteger whole) {
      BigInteger number = whole.toBigNumerator();
      return decimal ? general(new BigDecimal(number)) : number.toString();
    }
    if (value instanceof IFraction fraction) {
      BigInteger top = fraction.toBigNumerator();
      BigInteger bottom = fraction.toBigDenominator();
      return decimal
          ? general(new BigDecimal(top).divide(new BigDecimal(bottom), MathContext.DECIMAL128))
          : top + "/" + bottom;
    }
    if (symbols.isEmpty()) {
      IExpr number = engine.evaluate(F.N(value));
      if (number.isReal() && Double.isFinite(number.evalf())) {
        return general(new BigDecimal(number.evalf()));
      }
      if (!number.isNumber()) {
        throw new ArithmeticException("the value is too large");
      }
    }
    return python(value.toString());
  }

  /** Formats {@code number} like C's %g with six significant digits. */
  static String general(BigDecimal number) {
    if (number.signum() == 0) {
      return "0";
    }
    BigDecimal rounded = number.round(new MathContext(SIGNIFICANT, RoundingMode.HALF_EVEN));
    int exponent = rounded.precision() - rounded.scale() - 1;
    if (exponent >= -4 && exponent < SIGNIFICANT) {
      return rounded.stripTrailingZeros().toPlainString();
    }
    String mantissa = rounded.movePointLeft(exponent).stripTrailingZeros().toPlainString();
    return "%se%s%02d".formatted(mantissa, exponent < 0 ? "-" : "+", Math.abs(exponent));
  }

  private String python(String text) {
    return NAME.matcher(LINE_END.matcher(text).replaceAll("").replace("^", "**"))
        .replaceAll(
            match -> {
              String name = match.group();
              String ours = names.get(name);
              return ours != null ? ours : PYTHON.getOrDefault(name, name.toLowerCase(Locale.ROOT));
            });
  }

  private IExpr expression(Formula formula) {
    return switch (formula) {
      case Literal literal ->
          F.fraction(literal.digits(), BigInteger.TEN.pow(Math.max(0, literal.scale())));
      case Symbol symbol -> symbol(symbol.name());
      case Call call -> {
        if (call.function() == CalculatorFunction.BINOMIAL
            && call.arguments().stream().anyMatch(ValueFormatter::large)) {
          throw new ArithmeticException("the value is too large");
        }
        List<IExpr> arguments = new ArrayList<>();
        for (Formula argument : call.arguments()) {
          arguments.add(expression(argument));
        }
        yield call.function().of(arguments);
      }
    };
  }

  private static boolean large(Formula formula) {
    return formula instanceof Literal literal && literal.digits().bitLength() > LARGE_BITS;
  }

  private IExpr symbol(String name) {
    return switch (name) {
      case "pi", "Pi", "PI" -> S.Pi;
      case "e", "E" -> S.E;
      case "i", "I", "j" -> F.CI;
      default -> symbols.computeIfAbsent(name, this::fresh);
    };
  }

  private ISymbol fresh(String name) {
    String other = "x" + symbols.size();
    names.put(other, name);
    return F.Dummy(other);
  }
}
