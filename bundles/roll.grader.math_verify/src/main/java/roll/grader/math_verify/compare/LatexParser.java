package roll.grader.math_verify.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.grader.math_verify.compare.Term.Group;
import roll.grader.math_verify.compare.Term.Kind;
import roll.grader.math_verify.compare.Term.Num;
import roll.grader.math_verify.compare.Term.Relation;
import roll.grader.math_verify.compare.Term.Sign;

/** Parses one formula by recursive descent: relations of sums of products of factors. */
final class LatexParser extends TokenCursor {
  /** Maximum nesting depth of a formula. */
  private static final int DEEPEST = 100;

  /** Maximum number of ± in a formula. */
  private static final int MOST_SIGNS = 8;

  /** Maximum depth of nested sums over an index. */
  private static final int MOST_TOTALS = 3;

  private static final Map<String, String> SETS =
      Map.of(
          "cup",
          "Union",
          "cap",
          "Intersection",
          "setminus",
          "Complement",
          "backslash",
          "Complement");

  private final FactorParser factors = new FactorParser(this);
  private int depth;
  private int signs;
  private int totals;

  private LatexParser(List<LatexToken> tokens) {
    super(tokens);
  }

  /**
   * Parses {@code formula}, normalized by {@link LatexNormalizer}.
   *
   * @throws FormulaException if it is not a formula, or of an unknown kind
   */
  static Term parse(String formula) throws FormulaException {
    LatexParser parser = new LatexParser(LatexLexer.tokens(formula));
    Term term = parser.relation();
    parser.trailingWords(term);
    if (parser.peek().type() != LatexToken.Type.END) {
      throw new FormulaException("'" + parser.peek().text() + "'");
    }
    return term;
  }

  /**
   * Parses sides and signs. A chain of equations becomes one of its ends, any other chain all its
   * relations; an approximation is dropped unless it is that of a symbol.
   */
  Term relation() throws FormulaException {
    if (++depth > DEEPEST) {
      throw new FormulaException("too deep");
    }
    Term left = side();
    List<Term> chain = new ArrayList<>();
    Term side = left;
    boolean equations = true;
    boolean about = false;
    for (Sign sign = sign(peek()); sign != null; sign = sign(peek())) {
      next();
      Term right = side();
      boolean named = chain.isEmpty() && Relations.isNamed(side);
      if (!about && (sign != Sign.ABOUT || named)) {
        chain.add(new Relation(sign == Sign.ABOUT ? Sign.EQUAL : sign, side, right));
        equations &= chain.getLast() instanceof Relation r && r.sign() == Sign.EQUAL;
        side = right;
      }
      about |= sign == Sign.ABOUT;
    }
    depth--;
    if (chain.size() < 2) {
      return chain.isEmpty() ? left : chain.getFirst();
    }
    return equations
        ? new Relation(Sign.EQUAL, Relations.named(left, chain, side), side)
        : new Group(Kind.AND, List.copyOf(chain));
  }

  /** Parses a side of a relation; an unknown command is a symbol if it is a complete side. */
  private Term side() throws FormulaException {
    LatexToken token = peek();
    LatexToken behind = peek(1);
    boolean ends =
        sign(behind) != null || (sign(last()) != null && behind.type() == LatexToken.Type.END);
    boolean unknown =
        token.type() == LatexToken.Type.COMMAND && LatexSymbols.known(token.text()) == 0;
    return unknown && ends ? new Term.Name("\\" + next().text()) : ratio();
  }

  /** Parses sums separated by colons: two are a quotient, more the quotients to the first. */
  private Term ratio() throws FormulaException {
    Term first = sum();
    if (depth > 1 || !peek().sign(":")) {
      return first;
    }
    List<Term> others = new ArrayList<>();
    while (skip(":")) {
      others.add(sum());
    }
    return others.size() == 1
        ? Terms.quotient(first, others.getFirst())
        : new Term.Apply(
            "Ratio", others.stream().map(other -> Terms.quotient(other, first)).toList());
  }

  /** Returns the relation of {@code token}; null if it is none. */
  private static @Nullable Sign sign(LatexToken token) {
    return token.type() == LatexToken.Type.SIGN || token.type() == LatexToken.Type.COMMAND
        ? Sign.of(token.text())
        : null;
  }

  /** Parses terms with signs between them, and sets with their operators. */
  Term sum() throws FormulaException {
    if (++depth > DEEPEST) {
      throw new FormulaException("too deep");
    }
    Term total = signed();
    while (true) {
      String joined = peek().type() == LatexToken.Type.COMMAND ? SETS.get(peek().text()) : null;
      if (joined != null) {
        next();
        total = Terms.apply(joined, total, product());
      } else if (skip("+")) {
        total = Terms.sum(total, product());
      } else if (skip("-")) {
        total = Terms.sum(total, Terms.negative(product()));
      } else if (skipOne("±", "pm", "mp")) {
        Term part = product();
        total = either(Terms.sum(total, part), Terms.sum(total, Terms.negative(part)));
      } else {
        depth--;
        return total;
      }
    }
  }

  private Term signed() throws FormulaException {
    if (skip("-")) {
      return Terms.negative(product());
    }
    if (skipOne("±", "pm", "mp")) {
      Term part = product();
      return either(part, Terms.negative(part));
    }
    boolean _ = skip("+");
    return product();
  }

  /** Combines both values of a sign ±, which doubles the enclosing term. */
  private Term either(Term a, Term b) throws FormulaException {
    if (++signs > MOST_SIGNS) {
      throw new FormulaException("too many signs");
    }
    return new Group(Kind.EITHER, List.of(a, b));
  }

  /** Parses factors, with or without a sign between them. */
  Term product() throws FormulaException {
    Term total = factors.factor();
    while (true) {
      LatexToken token = peek();
      if (skipOne("*", "cdot", "times", "ast")) {
        total = Terms.product(total, operand());
      } else if (skipOne("/", "div")) {
        total = Terms.quotient(total, operand());
      } else if (token.type() == LatexToken.Type.WORDS && trailing()) {
        return total;
      } else if (factors.starts(token)) {
        if (token.type() == LatexToken.Type.NUMBER && last().type() == LatexToken.Type.NUMBER) {
          throw new FormulaException("two numbers side by side");
        }
        boolean mixed =
            total instanceof Num whole && whole.bottom().bitLength() == 1 && token.command("frac");
        Term factor = factors.factor();
        total =
            mixed && factor instanceof Num fraction
                ? mixed(total, fraction)
                : Terms.product(total, factor);
      } else {
        return total;
      }
    }
  }

  /** Parses the factors after the bounds of a sum or product over an index. */
  Term totaled() throws FormulaException {
    if (++totals > MOST_TOTALS) {
      throw new FormulaException("too many sums of sums");
    }
    Term terms = skip("-") ? Terms.negative(product()) : product();
    totals--;
    return terms;
  }

  /** Combines an integer and a fraction; a percent sign after them applies to both. */
  private Term mixed(Term whole, Num fraction) {
    return last().sign("%")
        ? Terms.sum(Terms.quotient(whole, Num.of(100)), fraction)
        : Terms.sum(whole, fraction);
  }

  /** Parses a factor with an optional sign. */
  private Term operand() throws FormulaException {
    return skip("-") ? Terms.negative(factors.factor()) : factors.factor();
  }

  /** Skips words after a number, which are what it counts; after anything else only units. */
  private void trailingWords(Term before) throws FormulaException {
    if (peek().type() != LatexToken.Type.WORDS || !trailing()) {
      return;
    }
    if (!Units.counted(peek().text())
        || (!Units.known(peek().text()) && before.has(Term.Name.class::isInstance))) {
      throw new FormulaException("'" + peek().text() + "'");
    }
    skipAll();
  }
}
