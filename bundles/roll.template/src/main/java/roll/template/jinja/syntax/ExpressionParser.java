package roll.template.jinja.syntax;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.template.jinja.syntax.SyntaxToken.Kind;
import roll.template.jinja.value.TemplateException;

/** Reads expressions, from the weakest operator to the strongest. */
final class ExpressionParser {
  private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=");
  private static final Set<String> AFTER_TEST = Set.of("else", "or", "and");

  /** Maximum nesting of expressions; more would overflow the thread's stack. */
  private static final int DEEPEST = 1000;

  private final Tokens tokens;

  /** Names of the variables that were read while parsing. */
  private final Set<String> names = new HashSet<>();

  private final OperandParser operands;
  private int depth;

  ExpressionParser(Tokens tokens) {
    this.tokens = tokens;
    this.operands = new OperandParser(tokens, this, names);
  }

  /**
   * Names of the variables that were read while parsing; callers clear it to get those of a part.
   */
  Set<String> names() {
    return names;
  }

  /** Parses an expression without a comma outside of brackets. */
  Expr expression() {
    return choice();
  }

  /** Parses one expression, or several with commas between them, which make a tuple. */
  Expr tuple(boolean withChoice) {
    Expr first = withChoice ? choice() : or();
    return tokens.isOperator(",") ? tupleAfter(first, withChoice) : first;
  }

  /** Parses the tuple that begins with {@code first}; the current token is its comma. */
  Expr tupleAfter(Expr first, boolean withChoice) {
    List<Expr> items = new ArrayList<>(List.of(first));
    while (tokens.skipOperator(",") && !endsTuple()) {
      items.add(withChoice ? choice() : or());
    }
    return new Expr.Sequence(items, true);
  }

  private boolean endsTuple() {
    return tokens.is(Kind.VARIABLE_END)
        || tokens.is(Kind.BLOCK_END)
        || tokens.isOperator(")")
        || tokens.isOperator("=")
        || tokens.isName("in")
        || tokens.isName("recursive");
  }

  private Expr choice() {
    if (++depth > DEEPEST) {
      throw new TemplateException("the template is nested too deeply");
    }
    Expr value = or();
    while (tokens.skipName("if")) {
      Expr condition = or();
      value = new Expr.Choice(condition, value, tokens.skipName("else") ? choice() : null);
    }
    depth--;
    return value;
  }

  private Expr or() {
    Expr left = and();
    while (tokens.skipName("or")) {
      left = new Expr.Logic(false, left, and());
    }
    return left;
  }

  private Expr and() {
    Expr left = not();
    while (tokens.skipName("and")) {
      left = new Expr.Logic(true, left, not());
    }
    return left;
  }

  private Expr not() {
    return tokens.skipName("not") ? new Expr.Not(not()) : comparison();
  }

  private Expr comparison() {
    Expr first = sum();
    List<String> operators = new ArrayList<>();
    List<Expr> others = new ArrayList<>();
    while (true) {
      if (tokens.is(Kind.OPERATOR) && COMPARISONS.contains(tokens.current().text())) {
        operators.add(tokens.next().text());
      } else if (tokens.skipName("in")) {
        operators.add("in");
      } else if (tokens.isName("not") && tokens.ahead().is(Kind.NAME, "in")) {
        tokens.next();
        tokens.next();
        operators.add("not in");
      } else {
        return operators.isEmpty() ? first : new Expr.Comparison(first, operators, others);
      }
      others.add(sum());
    }
  }

  private Expr sum() {
    Expr left = concat();
    while (tokens.isOperator("+") || tokens.isOperator("-")) {
      left = new Expr.Binary(tokens.next().text(), left, concat());
    }
    return left;
  }

  private Expr concat() {
    Expr first = product();
    if (!tokens.isOperator("~")) {
      return first;
    }
    List<Expr> parts = new ArrayList<>(List.of(first));
    while (tokens.skipOperator("~")) {
      parts.add(product());
    }
    return new Expr.Concat(parts);
  }

  private Expr product() {
    Expr left = power();
    while (tokens.isOperator("*")
        || tokens.isOperator("/")
        || tokens.isOperator("//")
        || tokens.isOperator("%")) {
      left = new Expr.Binary(tokens.next().text(), left, power());
    }
    return left;
  }

  private Expr power() {
    Expr left = unary(true);
    while (tokens.skipOperator("**")) {
      left = new Expr.Binary("**", left, unary(true));
    }
    return left;
  }

  private Expr unary(boolean withFilter) {
    Expr value;
    if (tokens.isOperator("-") || tokens.isOperator("+")) {
      value = new Expr.Sign(tokens.next().text().equals("-"), unary(false));
    } else {
      value = operands.primary();
    }
    value = operands.postfix(value);
    return withFilter ? filters(value) : value;
  }

  /** Parses filters, tests and calls after a value. */
  private Expr filters(Expr value) {
    Expr result = value;
    while (true) {
      if (tokens.skipOperator("|")) {
        result = new Expr.Filter(result, dottedName(), optionalArguments());
      } else if (tokens.skipName("is")) {
        result = test(result);
      } else if (tokens.isOperator("(")) {
        result = new Expr.Call(result, operands.arguments());
      } else {
        return result;
      }
    }
  }

  private String dottedName() {
    StringBuilder name = new StringBuilder(tokens.expectName());
    while (tokens.skipOperator(".")) {
      name.append('.').append(tokens.expectName());
    }
    return name.toString();
  }

  /** Parses the arguments in parentheses; none if there are no parentheses. */
  Expr.Arguments optionalArguments() {
    return tokens.isOperator("(") ? operands.arguments() : Expr.Arguments.NONE;
  }

  private Expr test(Expr value) {
    boolean negated = tokens.skipName("not");
    String name = dottedName();
    Expr.Arguments arguments = Expr.Arguments.NONE;
    if (tokens.isOperator("(")) {
      arguments = operands.arguments();
    } else if (beginsArgument()) {
      if (tokens.isName("is")) {
        throw tokens.failure("You cannot chain multiple tests with is");
      }
      arguments =
          new Expr.Arguments(List.of(operands.postfix(operands.primary())), Map.of(), null, null);
    }
    Expr test = new Expr.Test(value, name, arguments);
    return negated ? new Expr.Not(test) : test;
  }

  private boolean beginsArgument() {
    SyntaxToken token = tokens.current();
    return switch (token.kind()) {
      case NAME -> !AFTER_TEST.contains(token.text());
      case STRING, INTEGER, FLOAT -> true;
      case OPERATOR -> token.text().equals("[") || token.text().equals("{");
      default -> false;
    };
  }
}
