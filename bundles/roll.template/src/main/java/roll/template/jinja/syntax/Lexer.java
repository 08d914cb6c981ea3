package roll.template.jinja.syntax;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import roll.template.jinja.syntax.SyntaxToken.Kind;
import roll.template.jinja.value.TemplateException;
import roll.template.jinja.value.Text;

/**
 * Splits a template into tokens. With {@code trim_blocks} the line end behind a block or comment is
 * dropped, with {@code lstrip_blocks} the white space before one that begins its line; a minus sign
 * in a tag drops all white space on its side, a plus sign keeps it.
 */
final class Lexer {
  private static final Pattern RAW =
      Pattern.compile("\\{%[-+]?\\s*raw\\s*(-%\\}\\s*|%\\})", Pattern.UNICODE_CHARACTER_CLASS);
  private static final Pattern RAW_END =
      Pattern.compile(
          "\\{%([-+]?)\\s*endraw\\s*(\\+%\\}|-%\\}\\s*|%\\}\\n?)", Pattern.UNICODE_CHARACTER_CLASS);
  private static final Pattern BLOCK_END =
      Pattern.compile("\\+%\\}|-%\\}\\s*|%\\}\\n?", Pattern.UNICODE_CHARACTER_CLASS);
  private static final Pattern VARIABLE_END =
      Pattern.compile("-\\}\\}\\s*|\\}\\}", Pattern.UNICODE_CHARACTER_CLASS);
  private static final Pattern COMMENT_END =
      Pattern.compile("\\+#\\}|-#\\}\\s*|#\\}\\n?", Pattern.UNICODE_CHARACTER_CLASS);
  private static final Pattern SPACE = Pattern.compile("\\s+", Pattern.UNICODE_CHARACTER_CLASS);
  private static final Pattern FLOAT =
      Pattern.compile(
          "(?<!\\.)(?:\\d+_)*\\d+(?:(?:\\.(?:\\d+_)*\\d+)?[eE][-+]?(?:\\d+_)*\\d+|\\.(?:\\d+_)*\\d+)");
  private static final Pattern INTEGER =
      Pattern.compile(
          "0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[0-9a-fA-F])+|[1-9](?:_?\\d)*|0(?:_?0)*");
  private static final Pattern NAME = Pattern.compile("\\w+", Pattern.UNICODE_CHARACTER_CLASS);
  private static final Pattern OPERATOR =
      Pattern.compile("\\*\\*|//|==|!=|>=|<=|[-+/*%~\\[\\](){}><=.:|,;]");

  private final String source;
  private final List<SyntaxToken> tokens = new ArrayList<>();
  private int position;
  private int line = 1;
  private boolean lineStart = true;

  private Lexer(String source) {
    this.source = source;
  }

  /**
   * Splits {@code template} into tokens; the last one is the end.
   *
   * @throws TemplateException with its line if a tag is not closed or holds an unknown character
   */
  static List<SyntaxToken> scan(String template) {
    String source = template.replace("\r\n", "\n").replace('\r', '\n');
    Lexer lexer =
        new Lexer(source.endsWith("\n") ? source.substring(0, source.length() - 1) : source);
    lexer.scan();
    return lexer.tokens;
  }

  private void scan() {
    while (position < source.length()) {
      int at = nextTag();
      if (at < 0) {
        add(Kind.DATA, source.substring(position));
        advance(source.length());
        break;
      }
      char kind = source.charAt(at + 1);
      char sign = at + 2 < source.length() ? source.charAt(at + 2) : ' ';
      addData(source.substring(position, at), sign, kind != '{');
      advance(at);
      Matcher raw = matcher(RAW, position);
      if (kind == '%' && raw.lookingAt()) {
        advance(raw.end());
        scanRaw();
        continue;
      }
      advance(at + (sign == '-' || sign == '+' ? 3 : 2));
      switch (kind) {
        case '#' -> scanComment();
        case '%' -> scanTag(Kind.BLOCK_BEGIN, BLOCK_END, Kind.BLOCK_END);
        default -> scanTag(Kind.VARIABLE_BEGIN, VARIABLE_END, Kind.VARIABLE_END);
      }
    }
    add(Kind.END, "");
  }

  private int nextTag() {
    int at = position;
    while ((at = source.indexOf('{', at)) >= 0 && at + 1 < source.length()) {
      if ("{%#".indexOf(source.charAt(at + 1)) >= 0) {
        return at;
      }
      at++;
    }
    return -1;
  }

  private void addData(String text, char sign, boolean stripBefore) {
    String kept = text;
    if (sign == '-') {
      kept = Text.stripRight(text, Text::isSpace);
    } else if (sign != '+' && stripBefore) {
      int start = text.lastIndexOf('\n') + 1;
      boolean bare = text.substring(start).codePoints().allMatch(Text::isSpace);
      kept = bare && (start > 0 || lineStart) ? text.substring(0, start) : text;
    }
    if (!kept.isEmpty()) {
      add(Kind.DATA, kept);
    }
  }

  private void scanRaw() {
    Matcher end = matcher(RAW_END, position);
    if (!end.find()) {
      throw failure("Missing end of raw directive");
    }
    String sign = end.group(1);
    addData(source.substring(position, end.start()), sign.isEmpty() ? ' ' : sign.charAt(0), true);
    advance(end.end());
  }

  private void scanComment() {
    Matcher end = matcher(COMMENT_END, position);
    if (!end.find()) {
      throw failure("Missing end of comment tag");
    }
    advance(end.end());
  }

  private void scanTag(Kind begin, Pattern endPattern, Kind end) {
    add(begin, "");
    Deque<String> open = new ArrayDeque<>();
    while (true) {
      Matcher closing = matcher(endPattern, position);
      if (open.isEmpty() && closing.lookingAt()) {
        add(end, "");
        advance(closing.end());
        return;
      }
      if (position >= source.length()) {
        throw failure("unexpected end of template within a tag");
      }
      scanToken(open);
    }
  }

  private void scanToken(Deque<String> open) {
    char first = source.charAt(position);
    if (first == '\'' || first == '"') {
      scanString(first);
    } else if (!skip(SPACE)
        && !take(FLOAT, Kind.FLOAT)
        && !take(INTEGER, Kind.INTEGER)
        && !take(NAME, Kind.NAME)) {
      if (!take(OPERATOR, Kind.OPERATOR)) {
        throw failure(
            "unexpected character '" + Character.toString(source.codePointAt(position)) + "'");
      }
      balance(tokens.getLast().text(), open);
    }
  }

  private boolean skip(Pattern pattern) {
    Matcher matcher = matcher(pattern, position);
    boolean found = matcher.lookingAt();
    if (found) {
      advance(matcher.end());
    }
    return found;
  }

  private boolean take(Pattern pattern, Kind kind) {
    int start = position;
    int startLine = line;
    boolean found = skip(pattern);
    if (found) {
      tokens.add(new SyntaxToken(kind, source.substring(start, position), startLine));
    }
    return found;
  }

  private void balance(String operator, Deque<String> open) {
    int kind = "{([".indexOf(operator);
    if (operator.length() == 1 && kind >= 0) {
      open.push("})]".substring(kind, kind + 1));
    } else if ("})]".contains(operator) && operator.length() == 1) {
      String expected = open.isEmpty() ? "" : open.pop();
      if (!expected.equals(operator)) {
        throw failure(
            "unexpected '"
                + operator
                + "'"
                + (expected.isEmpty() ? "" : ", expected '" + expected + "'"));
      }
    }
  }

  private void scanString(char mark) {
    int end = position + 1;
    while (end < source.length() && source.charAt(end) != mark) {
      end += source.charAt(end) == '\\' ? 2 : 1;
    }
    if (end >= source.length()) {
      throw failure("the string is not closed");
    }
    add(Kind.STRING, Escapes.resolve(source.substring(position + 1, end), line));
    advance(end + 1);
  }

  private void add(Kind kind, String text) {
    tokens.add(new SyntaxToken(kind, text, line));
  }

  private Matcher matcher(Pattern pattern, int from) {
    return pattern
        .matcher(source)
        .useTransparentBounds(true)
        .region(Math.min(from, source.length()), source.length());
  }

  private void advance(int to) {
    for (int i = position; i < to; i++) {
      line += source.charAt(i) == '\n' ? 1 : 0;
    }
    if (to > position) {
      lineStart = source.charAt(to - 1) == '\n';
    }
    position = to;
  }

  private TemplateException failure(String message) {
    return new TemplateException(message).at(line);
  }
}
