package roll.template.jinja.syntax;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import roll.template.jinja.syntax.Node.Flow;
import roll.template.jinja.syntax.SyntaxToken.Kind;
import roll.template.jinja.value.TemplateException;

/** Parses the statements of a template. */
public final class Parser {
  private static final Set<String> SPECIAL = Set.of("varargs", "kwargs", "caller");

  private final Tokens tokens;
  private final ExpressionParser expressions;
  private int loops;

  private Parser(Tokens tokens) {
    this.tokens = tokens;
    this.expressions = new ExpressionParser(tokens);
  }

  /**
   * Parses the statements of {@code template}.
   *
   * @throws TemplateException with its line if it is not written correctly
   */
  public static List<Node> parse(String template) {
    Parser parser = new Parser(new Tokens(Lexer.scan(template)));
    return parser.nodes("");
  }

  /**
   * Parses statements up to one of the tags {@code ends}, of which the name is the current token.
   */
  private List<Node> nodes(String opened, String... ends) {
    List<Node> nodes = new ArrayList<>();
    while (!tokens.is(Kind.END)) {
      SyntaxToken token = tokens.next();
      switch (token.kind()) {
        case DATA -> nodes.add(new Node.Data(token.line(), token.text()));
        case VARIABLE_BEGIN -> {
          nodes.add(new Node.Print(token.line(), expressions.tuple(true)));
          tokens.expect(Kind.VARIABLE_END);
        }
        case BLOCK_BEGIN -> {
          if (List.of(ends).contains(tokens.current().text())) {
            return nodes;
          }
          nodes.add(statement(opened, ends));
        }
        default -> throw tokens.failure("unexpected " + token.shown());
      }
    }
    if (ends.length > 0) {
      throw tokens.failure(
          "the template ends within '"
              + opened
              + "', expected '"
              + String.join("' or '", ends)
              + "'");
    }
    return nodes;
  }

  private Node statement(String opened, String... ends) {
    int line = tokens.current().line();
    String tag = tokens.expectName();
    return switch (tag) {
      case "if" -> branch(line);
      case "for" -> loop(line);
      case "set" -> set(line);
      case "macro" -> macro(line);
      case "call" -> call(line);
      case "filter" -> {
        Node.FilterChain filters = chain(true);
        yield new Node.FilterBlock(line, filters, block("filter", "endfilter"));
      }
      case "with" -> with(line);
      case "generation" -> new Node.Generation(line, block("generation", "endgeneration"));
      case "break", "continue" -> {
        if (loops == 0) {
          throw tokens.failure("'" + tag + "' outside of a loop");
        }
        tokens.expect(Kind.BLOCK_END);
        yield new Node.Leave(line, tag.equals("break") ? Flow.BREAK : Flow.CONTINUE);
      }
      default ->
          throw tokens.failure(
              "Encountered unknown tag '"
                  + tag
                  + "'"
                  + (ends.length == 0
                      ? ""
                      : "; '" + opened + "' needs '" + String.join("' or '", ends) + "'"));
    };
  }

  /** The body of a block, with its opening tag's end before and its whole closing tag behind. */
  private List<Node> block(String opened, String end) {
    tokens.expect(Kind.BLOCK_END);
    List<Node> body = nodes(opened, end);
    tokens.next();
    if (end.equals("endmacro") && tokens.is(Kind.NAME)) {
      tokens.next();
    }
    tokens.expect(Kind.BLOCK_END);
    return body;
  }

  private Node branch(int line) {
    Expr condition = expressions.tuple(false);
    tokens.expect(Kind.BLOCK_END);
    List<Node> then = nodes("if", "elif", "else", "endif");
    int next = tokens.current().line();
    switch (tokens.next().text()) {
      case "elif" -> {
        return new Node.If(line, condition, then, List.of(branch(next)));
      }
      case "else" -> {
        return new Node.If(line, condition, then, block("if", "endif"));
      }
      default -> {
        tokens.expect(Kind.BLOCK_END);
        return new Node.If(line, condition, then, List.of());
      }
    }
  }

  private Node loop(int line) {
    Target target = target(false);
    if (!tokens.skipName("in")) {
      throw tokens.failure("expected 'in', found " + tokens.current().shown());
    }
    Expr items = expressions.tuple(false);
    Expr condition = tokens.skipName("if") ? expressions.expression() : null;
    boolean recursive = tokens.skipName("recursive");
    tokens.expect(Kind.BLOCK_END);
    loops++;
    List<Node> body = nodes("for", "else", "endfor");
    loops--;
    boolean otherwise = tokens.next().text().equals("else");
    List<Node> other = otherwise ? block("for", "endfor") : List.of();
    if (!otherwise) {
      tokens.expect(Kind.BLOCK_END);
    }
    return new Node.For(line, target, items, condition, body, other, recursive);
  }

  /** Parses an assignment target: one or more names with commas between them. */
  private Target target(boolean withNamespace) {
    List<Target> targets = new ArrayList<>(List.of(oneTarget(withNamespace)));
    boolean several = tokens.isOperator(",");
    while (tokens.skipOperator(",") && (isVariable() || tokens.isOperator("("))) {
      targets.add(oneTarget(withNamespace));
    }
    return several ? new Target.Several(targets) : targets.getFirst();
  }

  private boolean isVariable() {
    return tokens.is(Kind.NAME) && !tokens.isName("in");
  }

  private Target oneTarget(boolean withNamespace) {
    if (tokens.skipOperator("(")) {
      Target inner = target(withNamespace);
      tokens.expectOperator(")");
      return inner;
    }
    String name = tokens.expectName();
    if (Set.of("true", "false", "none", "True", "False", "None").contains(name)) {
      throw tokens.failure("can't assign to '" + name + "'");
    }
    if (withNamespace && tokens.skipOperator(".")) {
      expressions.names().add(name);
      return new Target.NamespaceAttribute(name, tokens.expectName());
    }
    return new Target.Variable(name);
  }

  private Node set(int line) {
    Target target = target(true);
    if (tokens.skipOperator("=")) {
      Expr value = expressions.tuple(true);
      tokens.expect(Kind.BLOCK_END);
      return new Node.Assign(line, target, value);
    }
    Node.FilterChain filters = chain(false);
    return new Node.AssignBlock(line, target, filters, block("set", "endset"));
  }

  private Node.FilterChain chain(boolean begun) {
    List<String> names = new ArrayList<>();
    List<Expr.Arguments> arguments = new ArrayList<>();
    boolean first = begun;
    while (first || tokens.skipOperator("|")) {
      first = false;
      names.add(tokens.expectName());
      arguments.add(expressions.optionalArguments());
    }
    return new Node.FilterChain(names, arguments);
  }

  private Node with(int line) {
    List<Target> targets = new ArrayList<>();
    List<Expr> values = new ArrayList<>();
    while (!tokens.is(Kind.BLOCK_END)) {
      if (!targets.isEmpty()) {
        tokens.expectOperator(",");
      }
      targets.add(oneTarget(false));
      tokens.expectOperator("=");
      values.add(expressions.expression());
    }
    return new Node.With(line, targets, values, block("with", "endwith"));
  }

  private Node macro(int line) {
    String name = tokens.expectName();
    return new Node.Definition(line, body(name, "macro", "endmacro"));
  }

  private Node call(int line) {
    List<String> parameters = new ArrayList<>();
    List<Expr> defaults = new ArrayList<>();
    if (tokens.isOperator("(")) {
      signature(parameters, defaults);
    }
    if (!(expressions.expression() instanceof Expr.Call call)) {
      throw tokens.failure("expected a call");
    }
    return new Node.CallBlock(line, call, rest("caller", parameters, defaults, "call", "endcall"));
  }

  private Node.Body body(String name, String tag, String end) {
    List<String> parameters = new ArrayList<>();
    List<Expr> defaults = new ArrayList<>();
    signature(parameters, defaults);
    return rest(name, parameters, defaults, tag, end);
  }

  private void signature(List<String> parameters, List<Expr> defaults) {
    tokens.expectOperator("(");
    while (!tokens.skipOperator(")")) {
      if (!parameters.isEmpty()) {
        tokens.expectOperator(",");
        if (tokens.skipOperator(")")) {
          return;
        }
      }
      parameters.add(tokens.expectName());
      if (tokens.skipOperator("=")) {
        defaults.add(expressions.expression());
      } else if (!defaults.isEmpty()) {
        throw tokens.failure("non-default argument follows default argument");
      }
    }
  }

  /** The body of a macro; which special variables it uses decides what it can be called with. */
  private Node.Body rest(
      String name, List<String> parameters, List<Expr> defaults, String tag, String end) {
    Set<String> before = new HashSet<>(expressions.names());
    int loopsBefore = loops;
    loops = 0;
    expressions.names().clear();
    List<Node> nodes = block(tag, end);
    loops = loopsBefore;
    Set<String> free = new HashSet<>(expressions.names());
    free.retainAll(SPECIAL);
    expressions.names().addAll(before);
    return new Node.Body(name, parameters, defaults, free, nodes);
  }
}
