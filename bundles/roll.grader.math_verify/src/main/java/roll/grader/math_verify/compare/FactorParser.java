package roll.grader.math_verify.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import roll.grader.math_verify.compare.Term.Group;
import roll.grader.math_verify.compare.Term.Interval;
import roll.grader.math_verify.compare.Term.Kind;
import roll.grader.math_verify.compare.Term.Matrix;
import roll.grader.math_verify.compare.Term.Name;
import roll.grader.math_verify.compare.Term.Num;
import roll.grader.math_verify.compare.Term.Words;

/** Parses the factors of a formula: numbers, symbols, functions and bracketed terms. */
final class FactorParser {
  /** Maximum number of consecutive exponents, factorials and percent signs. */
  private static final int MOST_BEHIND = 20;

  private final LatexParser parser;
  private final FunctionReader functions;

  FactorParser(LatexParser parser) {
    this.parser = parser;
    this.functions = new FunctionReader(parser, this);
  }

  /** Returns whether a factor can begin with {@code token}. */
  boolean starts(LatexToken token) {
    return switch (token.type()) {
      case NUMBER, LETTER -> true;
      case COMMAND ->
          LatexSymbols.isLetter(token.text())
              || functions.knows(token.text())
              || Set.of(
                      "infty",
                      "emptyset",
                      "varnothing",
                      "lfloor",
                      "lceil",
                      "langle",
                      "begin",
                      "left")
                  .contains(token.text());
      case SIGN -> Set.of("(", "[", "{", "\\{").contains(token.text());
      case WORDS, END -> false;
    };
  }

  /** Parses a base with its powers, factorials and percent signs. */
  Term factor() throws FormulaException {
    Term base = base();
    for (int behind = 0; behind <= MOST_BEHIND; behind++) {
      if (base instanceof Matrix matrix && transposes()) {
        base = MatrixAlgebra.transposed(matrix);
      } else if (parser.skip("^")) {
        base = Terms.power(base, argument());
      } else if (parser.skip("!")) {
        base = Terms.apply("Factorial", base);
      } else if (parser.skip("%")) {
        base = Terms.quotient(base, Num.of(100));
      } else if (parser.peek().sign("'") && base instanceof Name name) {
        parser.next();
        base = new Name(name.name() + "'");
      } else {
        return base;
      }
    }
    throw new FormulaException("too many powers of powers");
  }

  /** Returns whether an exponent T follows, and skips it. */
  private boolean transposes() {
    int braces = parser.peek(1).sign("{") ? 1 : 0;
    LatexToken exponent = parser.peek(1 + braces);
    boolean top =
        exponent.command("top")
            || (exponent.type() == LatexToken.Type.LETTER && exponent.text().equals("T"));
    if (!parser.peek().sign("^") || !top || (braces == 1 && !parser.peek(3).sign("}"))) {
      return false;
    }
    for (int i = 0; i < 2 + 2 * braces; i++) {
      parser.next();
    }
    return true;
  }

  /** Parses the argument of a command: a group in braces, or one token. */
  Term argument() throws FormulaException {
    if (parser.skip("{")) {
      Term term = parser.relation();
      parser.expect("}");
      return term;
    }
    if (parser.skip("-")) {
      return Terms.negative(base());
    }
    return base();
  }

  /** Parses one of several arguments; without braces a single digit. */
  Term digit() throws FormulaException {
    LatexToken token = parser.peek();
    boolean digits = token.type() == LatexToken.Type.NUMBER && token.text().indexOf('.') < 0;
    return digits && token.text().length() > 1 ? parser.splitDigit() : argument();
  }

  private Term base() throws FormulaException {
    LatexToken token = parser.next();
    return switch (token.type()) {
      case NUMBER -> subscripted(token);
      case LETTER -> subscripted(token);
      case WORDS -> new Words(AnswerParser.words(token.text()));
      case SIGN -> bracketed(token);
      case COMMAND -> command(token);
      case END -> throw new FormulaException("the end");
    };
  }

  private Term subscripted(LatexToken token) throws FormulaException {
    String name = token.text().equals("E") ? "e" : token.text();
    if (parser.skip("_")) {
      return new Name(token.text() + "_" + subscript());
    }
    return token.type() == LatexToken.Type.NUMBER ? Terms.number(name) : new Name(name);
  }

  /** Returns the tokens of a subscript, joined. */
  private String subscript() throws FormulaException {
    if (!parser.skip("{")) {
      return parser.next().text();
    }
    StringBuilder text = new StringBuilder();
    while (!parser.skip("}")) {
      LatexToken token = parser.next();
      if (token.type() == LatexToken.Type.END || token.sign("{")) {
        throw new FormulaException("a subscript");
      }
      text.append(token.text());
    }
    return text.toString();
  }

  private Term command(LatexToken token) throws FormulaException {
    String name = token.text();
    if (LatexSymbols.isLetter(name)) {
      return parser.skip("_") ? new Name(name + "_" + subscript()) : new Name(name);
    }
    return switch (name) {
      case "infty" -> Terms.INFINITY;
      case "emptyset", "varnothing" -> new Group(Kind.SET, List.of());
      case "lfloor" -> closed("rfloor", "Floor");
      case "lceil" -> closed("rceil", "Ceiling");
      case "langle" -> new Group(Kind.TUPLE, listed("rangle"));
      case "begin" -> MatrixParser.read(parser);
      default -> functions.call(name);
    };
  }

  private Term closed(String end, String head) throws FormulaException {
    Term term = parser.relation();
    if (!parser.next().command(end)) {
      throw new FormulaException(head + " without its end");
    }
    return Terms.apply(head, term);
  }

  private Term bracketed(LatexToken open) throws FormulaException {
    return switch (open.text()) {
      case "{" -> {
        List<Term> items = listed("}");
        yield items.size() == 1 ? items.getFirst() : new Group(Kind.SET, items);
      }
      case "\\{" -> new Group(Kind.SET, listed("\\}"));
      case "|" -> {
        Term inner = parser.sum();
        parser.expect("|");
        yield inner instanceof Matrix matrix
            ? MatrixAlgebra.determinant(matrix)
            : Terms.apply("Abs", inner);
      }
      case "(", "[" -> range(open);
      default -> throw new FormulaException("'" + open.text() + "'");
    };
  }

  /** Parses parentheses or brackets: a term, a tuple or an interval. */
  private Term range(LatexToken open) throws FormulaException {
    List<Term> items = items();
    LatexToken end = parser.next();
    if (!end.sign(")") && !end.sign("]")) {
      throw new FormulaException("'" + end.text() + "'");
    }
    boolean round = open.sign("(") && end.sign(")");
    if (items.size() == 1 && open.sign("(") == end.sign(")")) {
      return items.getFirst();
    }
    if (items.size() == 2 && !round) {
      return new Interval(items.get(0), items.get(1), open.sign("("), end.sign(")"));
    }
    if (items.size() > 1 && open.sign("(") == end.sign(")")) {
      return new Group(Kind.TUPLE, items);
    }
    throw new FormulaException("brackets");
  }

  private List<Term> listed(String end) throws FormulaException {
    List<Term> items = parser.peek().sign(end) ? List.of() : items();
    LatexToken token = parser.next();
    if (!token.sign(end) && !token.command(end)) {
      throw new FormulaException("'" + token.text() + "' where '" + end + "' should be");
    }
    return items;
  }

  private List<Term> items() throws FormulaException {
    List<Term> items = new ArrayList<>();
    do {
      items.add(parser.relation());
    } while (parser.skip(",") || parser.skip(";"));
    return List.copyOf(items);
  }
}
