package roll.huggingface;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import roll.huggingface.RegexNode.Atomic;
import roll.huggingface.RegexNode.Choice;
import roll.huggingface.RegexNode.Look;
import roll.huggingface.RegexNode.One;
import roll.huggingface.RegexNode.Repeat;
import roll.huggingface.RegexNode.Sequence;

/**
 * Parses a regular expression in Oniguruma's syntax, which the tokenizers library uses, as far as
 * the effort depends on it. Back references and recursion are refused, as they have no bound.
 *
 * <p>Syntax: Oniguruma, doc/RE.
 */
final class RegexReader {
  private static final int DEEPEST = 100;

  private static final Pattern TIMES = Pattern.compile("\\{(\\d{0,6})(?:(,)(\\d{0,6}))?\\}");
  private static final Pattern GROUP =
      Pattern.compile("\\((?:\\?(?:([imx]*(?:-[imx]*)?)([:)])|<?[=!]|>|<\\w{1,64}>))?");
  private static final Pattern ESCAPE =
      Pattern.compile(
          "\\\\(?:[pP]\\{[^}]{1,64}\\}|x\\{[^}]{1,64}\\}|x\\p{XDigit}{0,2}|u\\p{XDigit}{4}|[\\s\\S])");

  /** The flag by which a dot matches a line terminator. */
  private static final Pattern MANY_LINES = Pattern.compile("\\(\\?[ix-]{0,4}m");

  private final String text;
  private final boolean lines;
  private int at;
  private int depth;

  private RegexReader(String text) {
    this.text = text;
    lines = !MANY_LINES.matcher(text).find();
  }

  /**
   * Parses the regular expression {@code text}.
   *
   * @throws IllegalArgumentException naming the error or the part without bound
   */
  static RegexNode read(String text) {
    RegexReader reader = new RegexReader(text);
    RegexNode node = reader.choice();
    if (reader.at < text.length()) {
      throw new IllegalArgumentException("')' without '('");
    }
    return node;
  }

  private RegexNode choice() {
    if (++depth > DEEPEST) {
      throw new IllegalArgumentException("more than " + DEEPEST + " nested groups");
    }
    List<RegexNode> options = new ArrayList<>();
    options.add(sequence());
    while (at < text.length() && text.charAt(at) == '|') {
      at++;
      options.add(sequence());
    }
    depth--;
    if (options.size() == 1) {
      return options.getFirst();
    }
    return RegexCharacters.differ(options)
        ? new One(new Choice(options).characters())
        : new Choice(options);
  }

  private RegexNode sequence() {
    List<RegexNode> parts = new ArrayList<>();
    while (at < text.length() && text.charAt(at) != '|' && text.charAt(at) != ')') {
      parts.add(times(atom()));
    }
    return parts.size() == 1 ? parts.getFirst() : new Sequence(parts);
  }

  private RegexNode times(RegexNode part) {
    RegexNode repeated = part;
    while (at < text.length()) {
      Matcher counted = TIMES.matcher(text).region(at, text.length());
      int least;
      int most;
      boolean possessive = false;
      switch (text.charAt(at)) {
        case '?', '*', '+' -> {
          least = text.charAt(at) == '+' ? 1 : 0;
          most = text.charAt(at++) == '?' ? 1 : Integer.MAX_VALUE;
          possessive = at < text.length() && text.charAt(at) == '+';
        }
        case '{' -> {
          if (!counted.lookingAt() || counted.group().matches("\\{,?\\}")) {
            return repeated; // a literal brace
          }
          least = counted.group(1).isEmpty() ? 0 : Integer.parseInt(counted.group(1));
          String end = counted.group(2) == null ? counted.group(1) : counted.group(3);
          most = end.isEmpty() ? Integer.MAX_VALUE : Integer.parseInt(end);
          at = counted.end();
        }
        default -> {
          return repeated;
        }
      }
      repeated = new Repeat(repeated, Math.min(least, most), Math.max(least, most));
      if (possessive) {
        at++;
        repeated = new Atomic(repeated);
      } else if (at < text.length() && text.charAt(at) == '?') {
        at++; // lazy: the same matches in another order
      }
    }
    return repeated;
  }

  private RegexNode atom() {
    char first = text.charAt(at);
    return switch (first) {
      case '(' -> group();
      case '[' -> one(bracket());
      case '\\' -> escape();
      case '^', '$' -> {
        at++;
        yield new Look(null);
      }
      case '.' -> {
        at++;
        yield new One(lines ? "[^\\n]" : null);
      }
      default -> {
        int character = text.codePointAt(at);
        at += Character.charCount(character);
        yield one(Pattern.quote(Character.toString(character)));
      }
    };
  }

  private RegexNode group() {
    if (text.startsWith("(?#", at)) {
      int end = text.indexOf(')', at);
      if (end < 0) {
        throw new IllegalArgumentException("a comment does not end");
      }
      at = end + 1;
      return new Sequence(List.of());
    }
    Matcher head = GROUP.matcher(text).region(at, text.length());
    boolean known = head.lookingAt() && (head.end() > at + 1 || !text.startsWith("(?", at));
    if (!known || text.startsWith("(*", at)) {
      throw new IllegalArgumentException(
          "'%s' is not supported".formatted(text.substring(at, Math.min(text.length(), at + 3))));
    }
    String flags = head.group(1);
    if (flags != null && flags.contains("x")) {
      throw new IllegalArgumentException("the flag x is not supported");
    }
    at = head.end();
    if (")".equals(head.group(2))) {
      return choice(); // the flags apply to the rest of the enclosing group
    }
    RegexNode body = choice();
    if (at >= text.length()) {
      throw new IllegalArgumentException("'(' without ')'");
    }
    at++;
    return switch (head.group()) {
      case "(?=", "(?!", "(?<=", "(?<!" -> new Look(body);
      case "(?>" -> new Atomic(body);
      default -> body;
    };
  }

  private RegexNode escape() {
    Matcher found = ESCAPE.matcher(text).region(at, text.length());
    if (!found.lookingAt()) {
      throw new IllegalArgumentException("ends in a backslash");
    }
    char kind = text.charAt(at + 1);
    if ("gkXcCM".indexOf(kind) >= 0 || (kind >= '1' && kind <= '9')) {
      throw new IllegalArgumentException("'\\" + kind + "' is not supported");
    }
    at = found.end();
    return "AbBGKyYzZ".indexOf(kind) >= 0 ? new Look(null) : one(found.group());
  }

  /** Reads a character class, including nested ones. */
  private String bracket() {
    int start = at;
    int open = 0;
    do {
      if (at >= text.length()) {
        throw new IllegalArgumentException("'[' without ']'");
      }
      char c = text.charAt(at);
      if (c == '\\') {
        at++;
      } else if (c == '[') {
        open++;
        at += text.startsWith("^", at + 1) ? 1 : 0;
        at += text.startsWith("]", at + 1) ? 1 : 0; // a leading one is literal
      } else if (c == ']') {
        open--;
      }
      at++;
    } while (open > 0);
    return text.substring(start, Math.min(at, text.length()));
  }

  private static RegexNode one(String characters) {
    return new One(RegexCharacters.alike(characters));
  }
}
