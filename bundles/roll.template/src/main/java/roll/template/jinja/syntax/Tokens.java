package roll.template.jinja.syntax;

import java.util.List;
import roll.template.jinja.syntax.SyntaxToken.Kind;
import roll.template.jinja.value.TemplateException;

/** The tokens of a template with a current position. */
final class Tokens {
  private final List<SyntaxToken> tokens;
  private int at;

  Tokens(List<SyntaxToken> tokens) {
    this.tokens = tokens;
  }

  SyntaxToken current() {
    return tokens.get(at);
  }

  SyntaxToken ahead() {
    return tokens.get(Math.min(at + 1, tokens.size() - 1));
  }

  /** Returns the current token and moves to the next one. */
  SyntaxToken next() {
    return tokens.get(at < tokens.size() - 1 ? at++ : at);
  }

  boolean is(Kind kind) {
    return current().kind() == kind;
  }

  boolean isOperator(String text) {
    return current().is(Kind.OPERATOR, text);
  }

  boolean isName(String text) {
    return current().is(Kind.NAME, text);
  }

  /** Whether the current token is this operator; then moves past it. */
  boolean skipOperator(String text) {
    boolean found = isOperator(text);
    at += found ? 1 : 0;
    return found;
  }

  /** Whether the current token is this name; then moves past it. */
  boolean skipName(String text) {
    boolean found = isName(text);
    at += found ? 1 : 0;
    return found;
  }

  void expectOperator(String text) {
    if (!skipOperator(text)) {
      throw failure("expected '" + text + "', found " + current().shown());
    }
  }

  String expectName() {
    if (!is(Kind.NAME)) {
      throw failure("expected a name, found " + current().shown());
    }
    return next().text();
  }

  void expect(Kind kind) {
    if (!is(kind)) {
      SyntaxToken wanted = new SyntaxToken(kind, "", 0);
      throw failure("expected " + wanted.shown() + ", found " + current().shown());
    }
    next();
  }

  /** Returns a syntax error at the current token. */
  TemplateException failure(String message) {
    return new TemplateException(message).at(current().line());
  }
}
