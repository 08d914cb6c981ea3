package roll.grader.math_verify.compare;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.grader.math_verify.compare.Term.Num;

/** Parses functions, with arguments in braces or without. */
final class FunctionReader {
  private static final Map<String, String> PREFIX =
      Map.ofEntries(
          Map.entry("sin", "Sin"),
          Map.entry("cos", "Cos"),
          Map.entry("tan", "Tan"),
          Map.entry("cot", "Cot"),
          Map.entry("sec", "Sec"),
          Map.entry("csc", "Csc"),
          Map.entry("sinh", "Sinh"),
          Map.entry("cosh", "Cosh"),
          Map.entry("tanh", "Tanh"),
          Map.entry("arcsin", "ArcSin"),
          Map.entry("arccos", "ArcCos"),
          Map.entry("arctan", "ArcTan"),
          Map.entry("ln", "Log"),
          Map.entry("log", "Log"),
          Map.entry("exp", "Exp"),
          Map.entry("arccot", "ArcCot"),
          Map.entry("det", "Det"),
          Map.entry("gcd", "GCD"),
          Map.entry("lcm", "LCM"),
          Map.entry("max", "Max"),
          Map.entry("min", "Min"));

  private static final Set<String> OTHERS =
      Set.of("frac", "sqrt", "binom", "dbinom", "tbinom", "overline", "bar", "vec", "hat");

  private final LatexParser parser;
  private final FactorParser factors;

  FunctionReader(LatexParser parser, FactorParser factors) {
    this.parser = parser;
    this.factors = factors;
  }

  boolean knows(String command) {
    return PREFIX.containsKey(command)
        || OTHERS.contains(command)
        || IndexedSums.HEADS.containsKey(command);
  }

  /** Parses the call of the function {@code command}, whose name was just read. */
  Term call(String command) throws FormulaException {
    return switch (command) {
      case "frac" -> Terms.quotient(factors.digit(), factors.digit());
      case "binom", "dbinom", "tbinom" -> Terms.apply("Binomial", factors.digit(), factors.digit());
      case "sqrt" -> root();
      case "sum", "prod" -> IndexedSums.read(command, parser, factors);
      case "overline", "bar", "vec", "hat" -> accented(command);
      default -> prefix(command);
    };
  }

  private Term accented(String accent) throws FormulaException {
    Term inner = factors.argument();
    if (inner instanceof Term.Name name) {
      return new Term.Name(name.name() + "_" + accent);
    }
    throw new FormulaException(accent);
  }

  private Term root() throws FormulaException {
    Term degree = Num.of(2);
    if (parser.skip("[")) {
      degree = parser.sum();
      parser.expect("]");
    }
    return Terms.power(factors.argument(), Terms.quotient(Num.of(1), degree));
  }

  private Term prefix(String command) throws FormulaException {
    String head = PREFIX.get(command);
    if (head == null) {
      throw new FormulaException("\\" + command);
    }
    Term base = parser.skip("_") ? factors.digit() : null;
    Term power = parser.skip("^") ? factors.argument() : null;
    Term argument = argument();
    if (power instanceof Num n
        && n.is(-1)
        && !head.startsWith("Arc")
        && Set.of("Sin", "Cos", "Tan").contains(head)) {
      return Terms.apply("Arc" + head, argument);
    }
    Term value = value(head, base, argument);
    return power == null ? value : Terms.power(value, power);
  }

  private static Term value(String head, @Nullable Term base, Term argument)
      throws FormulaException {
    if (argument instanceof Term.Matrix matrix && head.equals("Det")) {
      return MatrixAlgebra.determinant(matrix);
    }
    if (head.equals("Exp")) {
      return Terms.power(new Term.Name("e"), argument);
    }
    if (base != null) {
      return Terms.quotient(Terms.apply(head, argument), Terms.apply(head, base));
    }
    boolean several = argument instanceof Term.Group;
    return several ? new Term.Apply(head, argument.inside()) : Terms.apply(head, argument);
  }

  /** Parses the bracketed argument, or the factors up to a sign or another function. */
  private Term argument() throws FormulaException {
    LatexToken first = parser.peek();
    if (first.sign("(") || first.sign("[") || first.sign("{") || first.sign("|")) {
      return factors.factor();
    }
    boolean negative = parser.skip("-");
    Term total = factors.factor();
    while (factors.starts(parser.peek())
        && !parser.peek().sign("(")
        && !PREFIX.containsKey(parser.peek().text())) {
      total = Terms.product(total, factors.factor());
    }
    if (parser.peek().sign("/") && parser.peek(1).type() == LatexToken.Type.NUMBER) {
      parser.next();
      total = Terms.quotient(total, factors.factor());
    }
    return negative ? Terms.negative(total) : total;
  }
}
