package roll.template.jinja.syntax;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.template.jinja.syntax.SyntaxToken.Kind;
import roll.template.jinja.value.None;
import roll.template.jinja.value.Numbers;

/** Parses the operands of expressions: literals, names, attributes, items and calls. */
final class OperandParser {
  private final Tokens tokens;
  private final ExpressionParser expressions;
  private final Set<String> names;

  /**
   * A parser for the operands of {@code expressions}.
   *
   * @param names gets the variables that are read
   */
  OperandParser(Tokens tokens, ExpressionParser expressions, Set<String> names) {
    this.tokens = tokens;
    this.expressions = expressions;
    this.names = names;
  }

  /** Parses a literal, a name, or an expression in brackets. */
  Expr primary() {
    SyntaxToken token = tokens.current();
    return switch (token.kind()) {
      case NAME -> name(tokens.next().text());
      case STRING -> {
        StringBuilder text = new StringBuilder();
        while (tokens.is(Kind.STRING)) {
          text.append(tokens.next().text());
        }
        yield new Expr.Constant(text.toString());
      }
      case INTEGER -> new Expr.Constant(integer(tokens.next().text()));
      case FLOAT -> new Expr.Constant(Double.valueOf(tokens.next().text().replace("_", "")));
      default -> {
        if (tokens.skipOperator("(")) {
          yield parenthesis();
        } else if (tokens.skipOperator("[")) {
          yield new Expr.Sequence(list(), false);
        } else if (tokens.skipOperator("{")) {
          yield mapping();
        }
        throw tokens.failure("unexpected " + token.shown());
      }
    };
  }

  private Expr name(String name) {
    return switch (name) {
      case "true", "True" -> new Expr.Constant(true);
      case "false", "False" -> new Expr.Constant(false);
      case "none", "None" -> new Expr.Constant(None.NONE);
      default -> {
        names.add(name);
        yield new Expr.Name(name);
      }
    };
  }

  private static Object integer(String text) {
    String digits = text.replace("_", "");
    String prefix = digits.length() > 1 ? digits.substring(0, 2) : "";
    return Numbers.of(
        switch (prefix) {
          case "0x", "0X" -> new BigInteger(digits.substring(2), 16);
          case "0o", "0O" -> new BigInteger(digits.substring(2), 8);
          case "0b", "0B" -> new BigInteger(digits.substring(2), 2);
          default -> new BigInteger(digits);
        });
  }

  private Expr parenthesis() {
    if (tokens.skipOperator(")")) {
      return new Expr.Sequence(List.of(), true);
    }
    Expr inner = expressions.tuple(true);
    tokens.expectOperator(")");
    return inner;
  }

  private List<Expr> list() {
    List<Expr> items = new ArrayList<>();
    while (!tokens.skipOperator("]")) {
      if (!items.isEmpty()) {
        tokens.expectOperator(",");
        if (tokens.skipOperator("]")) {
          break;
        }
      }
      items.add(expressions.expression());
    }
    return items;
  }

  private Expr mapping() {
    List<Expr> keys = new ArrayList<>();
    List<Expr> values = new ArrayList<>();
    while (!tokens.skipOperator("}")) {
      if (!keys.isEmpty()) {
        tokens.expectOperator(",");
        if (tokens.skipOperator("}")) {
          break;
        }
      }
      keys.add(expressions.expression());
      tokens.expectOperator(":");
      values.add(expressions.expression());
    }
    return new Expr.Mapping(keys, values);
  }

  /** Parses the attributes, items and calls after {@code value}. */
  Expr postfix(Expr value) {
    Expr result = value;
    while (true) {
      if (tokens.skipOperator(".")) {
        result = dotted(result);
      } else if (tokens.skipOperator("[")) {
        result = subscript(result);
      } else if (tokens.isOperator("(")) {
        result = new Expr.Call(result, arguments());
      } else {
        return result;
      }
    }
  }

  private Expr dotted(Expr owner) {
    if (tokens.is(Kind.INTEGER)) {
      return new Expr.Item(owner, new Expr.Constant(integer(tokens.next().text())));
    }
    return new Expr.Attribute(owner, tokens.expectName());
  }

  private Expr subscript(Expr owner) {
    if (tokens.skipOperator("]")) {
      return new Expr.Item(owner, new Expr.Sequence(List.of(), true));
    }
    Expr from = tokens.isOperator(":") ? null : expressions.expression();
    if (!tokens.skipOperator(":")) {
      Expr key = from != null && tokens.isOperator(",") ? expressions.tupleAfter(from, true) : from;
      tokens.expectOperator("]");
      return new Expr.Item(owner, Objects.requireNonNull(key));
    }
    Expr to = bound();
    Expr step = tokens.skipOperator(":") ? bound() : null;
    tokens.expectOperator("]");
    return new Expr.Slice(owner, from, to, step);
  }

  private @Nullable Expr bound() {
    return tokens.isOperator(":") || tokens.isOperator("]") ? null : expressions.expression();
  }

  /** Parses the arguments of a call, in their parentheses. */
  Expr.Arguments arguments() {
    tokens.expectOperator("(");
    List<Expr> positional = new ArrayList<>();
    Map<String, Expr> named = new LinkedHashMap<>();
    Expr moreItems = null;
    Expr moreNames = null;
    boolean begun = false;
    while (!tokens.skipOperator(")")) {
      if (begun) {
        tokens.expectOperator(",");
        if (tokens.skipOperator(")")) {
          break;
        }
      }
      begun = true;
      if (tokens.skipOperator("*")) {
        moreItems = expressions.expression();
      } else if (tokens.skipOperator("**")) {
        moreNames = expressions.expression();
      } else if (tokens.is(Kind.NAME) && tokens.ahead().is(Kind.OPERATOR, "=")) {
        String name = tokens.expectName();
        tokens.next();
        named.put(name, expressions.expression());
      } else if (named.isEmpty() && moreNames == null) {
        positional.add(expressions.expression());
      } else {
        throw tokens.failure("a positional argument follows a named one");
      }
    }
    return new Expr.Arguments(positional, named, moreItems, moreNames);
  }
}
