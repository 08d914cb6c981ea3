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

/** Reads one formula by recursive descent: relations of sums of products of factors. */
final class LatexParser {
  /** Deeper ones are no answers. */
  private static final int DEEPEST = 100;

  /** More than so many ± are no answer. */
  private static final int MOST_SIGNS = 8;

  /** So many sums over an index may be inside of each other. */
  private static final int MOST_TOTALS = 3;

  private static final Map<String, Sign> SIGNS =
      Map.ofEntries(
          Map.entry("=", Sign.EQUAL),
          Map.entry("!=", Sign.UNEQUAL),
          Map.entry("ne", Sign.UNEQUAL),
          Map.entry("neq", Sign.UNEQUAL),
          Map.entry("<", Sign.LESS),
          Map.entry("lt", Sign.LESS),
          Map.entry("<=", Sign.LESS_EQUAL),
          Map.entry("le", Sign.LESS_EQUAL),
          Map.entry("leq", Sign.LESS_EQUAL),
          Map.entry("leqslant", Sign.LESS_EQUAL),
          Map.entry(">", Sign.GREATER),
          Map.entry("gt", Sign.GREATER),
          Map.entry(">=", Sign.GREATER_EQUAL),
          Map.entry("ge", Sign.GREATER_EQUAL),
          Map.entry("geq", Sign.GREATER_EQUAL),
          Map.entry("geqslant", Sign.GREATER_EQUAL),
          Map.entry("in", Sign.IN),
          Map.entry("approx", Sign.ABOUT));

  private final List<LatexToken> tokens;
  private final Factors factors = new Factors(this);
  private int at;
  private int depth;
  private int signs;
  private int totals;

  private LatexParser(List<LatexToken> tokens) {
    this.tokens = tokens;
  }

  /**
   * What {@code formula}, in the spelling of {@link Clean}, says.
   *
   * @throws Unreadable if it is no formula, or one of a kind that is not known here
   */
  static Term parse(String formula) throws Unreadable {
    LatexParser parser = new LatexParser(LatexLexer.tokens(formula));
    Term term = parser.relation();
    parser.trailingWords(term);
    if (parser.peek().type() != LatexToken.Type.END) {
      throw new Unreadable("'" + parser.peek().text() + "'");
    }
    return term;
  }

  LatexToken peek() {
    return peek(0);
  }

  LatexToken peek(int ahead) {
    return at + ahead < tokens.size() ? tokens.get(at + ahead) : LatexToken.LAST;
  }

  private LatexToken last() {
    return at > 0 ? tokens.get(at - 1) : LatexToken.LAST;
  }

  LatexToken next() {
    LatexToken token = peek();
    at++;
    return token;
  }

  /** The first digit of the number that comes next, as in {@code \frac12}; the others are left. */
  Term splitDigit() {
    String digits = peek().text();
    tokens.set(at, new LatexToken(LatexToken.Type.NUMBER, digits.substring(1)));
    return Terms.number(digits.substring(0, 1));
  }

  boolean skip(String sign) {
    if (!peek().sign(sign)) {
      return false;
    }
    at++;
    return true;
  }

  void expect(String sign) throws Unreadable {
    if (!skip(sign)) {
      throw new Unreadable("'" + peek().text() + "' where '" + sign + "' should be");
    }
  }

  /**
   * Sides and signs; a chain of equations is one of its ends, any other chain is all of them. What
   * is about the same as something ends before the approximation, except for that of a symbol.
   */
  Term relation() throws Unreadable {
    if (++depth > DEEPEST) {
      throw new Unreadable("too deep");
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

  /** A side of a relation; a command that is not known is a symbol where it is all of a side. */
  private Term side() throws Unreadable {
    LatexToken token = peek();
    LatexToken behind = peek(1);
    boolean ends =
        sign(behind) != null || (sign(last()) != null && behind.type() == LatexToken.Type.END);
    boolean unknown =
        token.type() == LatexToken.Type.COMMAND && LatexSymbols.known(token.text()) == 0;
    return unknown && ends ? new Term.Name("\\" + next().text()) : ratio();
  }

  /** Sums with colons between them: two are a quotient, more have the quotients to the first. */
  private Term ratio() throws Unreadable {
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

  /** What relation {@code token} says; null for none. */
  private static @Nullable Sign sign(LatexToken token) {
    return token.type() == LatexToken.Type.SIGN || token.type() == LatexToken.Type.COMMAND
        ? SIGNS.get(token.text())
        : null;
  }

  /** Terms with signs between them; sets with what joins them. */
  Term sum() throws Unreadable {
    if (++depth > DEEPEST) {
      throw new Unreadable("too deep");
    }
    Term total = signed();
    while (true) {
      LatexToken token = peek();
      if (token.sign("+")) {
        next();
        total = Terms.sum(total, product());
      } else if (token.sign("-")) {
        next();
        total = Terms.sum(total, Terms.negative(product()));
      } else if (token.command("pm") || token.command("mp")) {
        next();
        Term part = product();
        total = either(Terms.sum(total, part), Terms.sum(total, Terms.negative(part)));
      } else if (token.command("cup")) {
        next();
        total = Terms.apply("Union", total, product());
      } else if (token.command("cap")) {
        next();
        total = Terms.apply("Intersection", total, product());
      } else if (token.command("setminus") || token.command("backslash")) {
        next();
        total = Terms.apply("Complement", total, product());
      } else {
        depth--;
        return total;
      }
    }
  }

  private Term signed() throws Unreadable {
    if (skip("+")) {
      return product();
    }
    if (skip("-")) {
      return Terms.negative(product());
    }
    if (peek().command("pm") || peek().command("mp")) {
      next();
      Term part = product();
      return either(part, Terms.negative(part));
    }
    return product();
  }

  /** Both values of a sign ±, which doubles what it is in. */
  private Term either(Term a, Term b) throws Unreadable {
    if (++signs > MOST_SIGNS) {
      throw new Unreadable("too many signs");
    }
    return new Group(Kind.EITHER, List.of(a, b));
  }

  /** Factors, with or without a sign between them. */
  Term product() throws Unreadable {
    Term total = factors.factor();
    while (true) {
      LatexToken token = peek();
      if (token.sign("*")
          || token.command("cdot")
          || token.command("times")
          || token.command("ast")) {
        next();
        total = Terms.product(total, operand());
      } else if (token.sign("/") || token.command("div")) {
        next();
        total = Terms.quotient(total, operand());
      } else if (token.type() == LatexToken.Type.WORDS && trailing()) {
        return total;
      } else if (factors.starts(token)) {
        if (token.type() == LatexToken.Type.NUMBER && last().type() == LatexToken.Type.NUMBER) {
          throw new Unreadable("two numbers side by side");
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

  /** The factors behind the bounds of a sum or product over an index. */
  Term totaled() throws Unreadable {
    if (++totals > MOST_TOTALS) {
      throw new Unreadable("too many sums of sums");
    }
    Term terms = skip("-") ? Terms.negative(product()) : product();
    totals--;
    return terms;
  }

  /** A whole number and a fraction; a percent sign behind them is that of both. */
  private Term mixed(Term whole, Num fraction) {
    return last().sign("%")
        ? Terms.sum(Terms.quotient(whole, Num.of(100)), fraction)
        : Terms.sum(whole, fraction);
  }

  /** A factor that may have a sign. */
  private Term operand() throws Unreadable {
    return skip("-") ? Terms.negative(factors.factor()) : factors.factor();
  }

  /** Whether nothing but words, powers of them and quotients of words follows. */
  private boolean trailing() {
    for (int i = at; i < tokens.size(); i++) {
      LatexToken token = tokens.get(i);
      boolean number = token.type() == LatexToken.Type.NUMBER && !tokens.get(i - 1).sign("/");
      boolean power = i > at && (token.sign("^") || number || token.sign("{") || token.sign("}"));
      if (token.type() != LatexToken.Type.WORDS && !power && !token.sign("/")) {
        return false;
      }
    }
    return true;
  }

  /** Words after a number are what it counts, and are left out; after anything else only units. */
  private void trailingWords(Term before) throws Unreadable {
    if (peek().type() != LatexToken.Type.WORDS || !trailing()) {
      return;
    }
    if (!Units.counted(peek().text())
        || (!Units.known(peek().text()) && before.has(Term.Name.class::isInstance))) {
      throw new Unreadable("'" + peek().text() + "'");
    }
    at = tokens.size();
  }
}
