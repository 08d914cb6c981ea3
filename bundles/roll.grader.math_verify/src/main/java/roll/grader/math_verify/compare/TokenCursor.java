package roll.grader.math_verify.compare;

import java.util.List;

/** The tokens of a formula with a position. */
class TokenCursor {
  private final List<LatexToken> tokens;
  private int at;

  /** Creates a cursor at the first of {@code tokens}. */
  TokenCursor(List<LatexToken> tokens) {
    this.tokens = tokens;
  }

  LatexToken peek() {
    return peek(0);
  }

  LatexToken peek(int ahead) {
    return at + ahead < tokens.size() ? tokens.get(at + ahead) : LatexToken.LAST;
  }

  LatexToken last() {
    return at > 0 ? tokens.get(at - 1) : LatexToken.LAST;
  }

  LatexToken next() {
    LatexToken token = peek();
    at++;
    return token;
  }

  /** Splits the first digit off the next number, as in {@code \frac12}. */
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

  void expect(String sign) throws FormulaException {
    if (!skip(sign)) {
      throw new FormulaException("'" + peek().text() + "' where '" + sign + "' should be");
    }
  }

  /** Skips {@code sign}, or an equivalent command. */
  boolean skipOne(String sign, String... commands) {
    boolean command =
        peek().type() == LatexToken.Type.COMMAND && List.of(commands).contains(peek().text());
    at += command ? 1 : 0;
    return command || skip(sign);
  }

  /** Returns whether only words, their powers and quotients follow. */
  boolean trailing() {
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

  /** Skips to the end of the formula's tokens. */
  void skipAll() {
    at = tokens.size();
  }
}
