package roll.grader.math_verify.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import roll.grader.math_verify.compare.Term.Group;
import roll.grader.math_verify.compare.Term.Kind;
import roll.grader.math_verify.compare.Term.Name;
import roll.grader.math_verify.compare.Term.Relation;
import roll.grader.math_verify.compare.Term.Sign;
import roll.grader.math_verify.compare.Term.Words;

/** Parses an answer: text as text, a list by item, everything else as a formula. */
public final class AnswerParser {
  private static final Pattern TEXT = Pattern.compile("[A-Za-z][A-Za-z'’\\- ]*");
  private static final Pattern WRAPPED = Pattern.compile("\\\\text\\{([^{}]*)\\}");

  /** A time before or after noon. */
  private static final Pattern TIME =
      Pattern.compile(
          "(?<hour>\\d{1,2}(?::\\d{2})?)\\s*(?:\\\\text\\{)?"
              + "\\s*(?<half>[aApP])\\.?\\s?[mM]\\.?\\s*\\}?");

  private static final Pattern RUN = Pattern.compile("[A-Za-z]{3,}");
  private static final Pattern VOWEL = Pattern.compile("[aeiouAEIOU]");

  /** Short words that the parser could take for products of symbols. */
  private static final Set<String> SHORT =
      Set.of(
          "no", "on", "is", "it", "in", "at", "or", "if", "of", "as", "to", "go", "do", "up", "us",
          "we", "me", "he", "by", "an", "am", "be", "so", "my");

  /** Formulas that the parser could take for words. */
  private static final Set<String> NAMES = Set.of("pi", "infinity");

  private static final Pattern BETWEEN =
      Pattern.compile("\\s*(?:[,;]|\\\\text\\{\\s*,?\\s*(?:and|or)\\s*\\}|\\b(?:and|or)\\b)");

  private AnswerParser() {}

  /**
   * Parses the content of a box or of a LaTeX environment, or a plain number.
   *
   * @throws FormulaException if it is neither text nor a formula
   */
  public static Term read(String content) throws FormulaException {
    String formula = LatexNormalizer.spaces(content);
    if (formula.length() > LatexLexer.LONGEST) {
      throw new FormulaException("too long");
    }
    List<Term> terms = new ArrayList<>();
    for (String item : items(LatexNormalizer.latex(formula))) {
      if (!item.isBlank()) {
        terms.add(item(item.strip()));
      }
    }
    if (terms.isEmpty()) {
      throw new FormulaException("nothing");
    }
    return terms.size() == 1 ? terms.getFirst() : joined(terms);
  }

  /** Normalizes an answer that is text for comparison. */
  public static String words(String text) {
    return text.strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
  }

  private static Term item(String item) throws FormulaException {
    Matcher time = TIME.matcher(item);
    if (time.matches()) {
      return new Words(time.group("hour") + " " + words(time.group("half")) + "m");
    }
    String text = WRAPPED.matcher(item).replaceAll("$1").strip();
    return text(text) ? new Words(words(text)) : LatexParser.parse(item);
  }

  private static boolean text(String text) {
    if (!TEXT.matcher(text).matches() || NAMES.contains(text)) {
      return false;
    }
    boolean word =
        RUN.matcher(text).find() && (VOWEL.matcher(text).find() || text.indexOf(' ') > 0);
    return word
        || SHORT.contains(text.toLowerCase(Locale.ROOT))
        || text.split("\\s+[A-Za-z]{2}").length > 1;
  }

  /** Returns the parts between commas and equivalent words, outside brackets. */
  private static List<String> items(String text) {
    List<String> items = new ArrayList<>();
    Matcher between = BETWEEN.matcher(text).useTransparentBounds(true);
    int depth = 0;
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      if (depth == 0 && between.region(i, text.length()).lookingAt()) {
        items.add(text.substring(start, i));
        start = between.end();
        i = start - 1;
      } else {
        depth += step(text, i);
      }
    }
    items.add(text.substring(start));
    return items;
  }

  private static int step(String text, int at) {
    char c = text.charAt(at);
    if (c == '\\') {
      boolean opens = text.startsWith("\\langle", at) || text.startsWith("\\begin", at);
      boolean closes = text.startsWith("\\rangle", at) || text.startsWith("\\end", at);
      return (opens ? 1 : 0) - (closes ? 1 : 0);
    }
    return "([{".indexOf(c) >= 0 ? 1 : ")]}".indexOf(c) >= 0 ? -1 : 0;
  }

  /** Combines a list of values to a set, and equations in one symbol to the set of its values. */
  private static Term joined(List<Term> terms) {
    boolean relations = terms.stream().anyMatch(Relations::isRelation);
    if (!relations) {
      return new Group(Kind.SET, List.copyOf(terms));
    }
    List<Term> values = new ArrayList<>();
    Term symbol = null;
    for (Term term : terms) {
      boolean equation = term instanceof Relation r && r.sign() == Sign.EQUAL && isOne(r.left());
      if (equation && term instanceof Relation r && (symbol == null || symbol.equals(r.left()))) {
        symbol = r.left();
        values.add(r.right());
      } else if (symbol != null && isTuple(symbol) == isTuple(term) && !isSet(term)) {
        values.add(term);
      } else {
        return new Group(Kind.AND, List.copyOf(terms));
      }
    }
    return new Group(Kind.SET, List.copyOf(values));
  }

  /** Returns whether {@code side} is a symbol or a tuple of symbols. */
  private static boolean isOne(Term side) {
    return side instanceof Name || (isTuple(side) && Relations.isNamed(side));
  }

  private static boolean isTuple(Term term) {
    return term instanceof Group group && group.kind() == Kind.TUPLE;
  }

  /** Returns whether {@code term} is a relation, or a group other than a tuple. */
  private static boolean isSet(Term term) {
    return term instanceof Relation || (term instanceof Group && !isTuple(term));
  }
}
