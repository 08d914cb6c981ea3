package roll.grader.math_verify.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Splits a formula into tokens. */
public final class LatexLexer {
  /** Maximum length of a formula in characters. */
  public static final int LONGEST = 4_000;

  private static final Pattern PIECE =
      Pattern.compile(
          "\\\\text\\{(?<words>[^{}]*)\\}|(?<time>(?<![:\\d])\\d{1,2}:\\d{2}(?![:\\d]))|(?<number>\\d+(?:\\.\\d*)?|\\.\\d+)"
              + "|\\\\(?<command>[a-zA-Z]+)"
              + "|(?<bare>(?:arcsin|arccos|arctan|sinh|cosh|tanh|sin|cos|tan|cot|sec|csc|log|ln|exp|sqrt|pi|infinity)(?![a-zA-Z]))"
              + "|(?<letter>[a-zA-Z])|(?<escaped>\\\\[{}|\\\\])"
              + "|(?<sign><=|>=|!=|[-+*/^_=<>()\\[\\]{}|,;:!%&'])");

  private LatexLexer() {}

  /**
   * Returns the LaTeX tokens of {@code formula}.
   *
   * @throws FormulaException if a character is not allowed in a formula
   */
  static List<LatexToken> tokens(String formula) throws FormulaException {
    if (formula.length() > LONGEST) {
      throw new FormulaException("too long");
    }
    List<LatexToken> tokens = new ArrayList<>();
    Matcher piece = PIECE.matcher(formula).useTransparentBounds(true);
    for (int at = 0; at < formula.length(); at = piece.end()) {
      while (at < formula.length() && Character.isWhitespace(formula.charAt(at))) {
        at++;
      }
      if (at == formula.length()) {
        break;
      }
      if (!piece.region(at, formula.length()).lookingAt()) {
        throw new FormulaException("'" + formula.charAt(at) + "'");
      }
      String command = piece.group("command");
      int known = command == null ? 0 : LatexSymbols.known(command);
      if (command != null && known > 0 && known < command.length()) {
        tokens.add(new LatexToken(LatexToken.Type.COMMAND, command.substring(0, known)));
        command
            .substring(known)
            .chars()
            .forEach(
                letter ->
                    tokens.add(new LatexToken(LatexToken.Type.LETTER, Character.toString(letter))));
      } else {
        tokens.add(token(piece));
      }
    }
    return tokens;
  }

  private static LatexToken token(Matcher piece) {
    if (piece.group("time") != null) {
      return new LatexToken(LatexToken.Type.WORDS, piece.group("time"));
    }
    if (piece.group("words") != null) {
      String words = piece.group("words").strip().replaceAll("\\s+", " ");
      boolean letter = words.length() == 1 && Character.isLetter(words.charAt(0));
      return new LatexToken(letter ? LatexToken.Type.LETTER : LatexToken.Type.WORDS, words);
    }
    for (LatexToken.Type type :
        List.of(
            LatexToken.Type.NUMBER,
            LatexToken.Type.COMMAND,
            LatexToken.Type.LETTER,
            LatexToken.Type.SIGN)) {
      String found = piece.group(type.name().toLowerCase(Locale.ROOT));
      if (found != null) {
        return new LatexToken(type, found);
      }
    }
    String bare = piece.group("bare");
    return bare == null
        ? new LatexToken(LatexToken.Type.SIGN, piece.group("escaped"))
        : new LatexToken(LatexToken.Type.COMMAND, bare.equals("infinity") ? "infty" : bare);
  }
}
