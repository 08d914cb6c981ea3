package roll.template.jinja.syntax;

import roll.template.jinja.value.TemplateException;

/** Resolves the escapes in a string literal, which are those of Python. */
final class Escapes {
  private Escapes() {}

  /** Returns the text of the string {@code literal}, without its quotes. */
  static String resolve(String literal, int line) {
    StringBuilder text = new StringBuilder();
    int at = 0;
    while (at < literal.length()) {
      char c = literal.charAt(at++);
      if (c != '\\') {
        text.append(c);
        continue;
      }
      char escape = literal.charAt(at++);
      switch (escape) {
        case '\n' -> {}
        case '\\', '\'', '"' -> text.append(escape);
        case 'n' -> text.append('\n');
        case 't' -> text.append('\t');
        case 'r' -> text.append('\r');
        case 'b' -> text.append('\b');
        case 'f' -> text.append('\f');
        case 'v' -> text.append('\u000b');
        case 'a' -> text.append('\u0007');
        case 'x' -> at = hexadecimal(literal, at, 2, text, line);
        case 'u' -> at = hexadecimal(literal, at, 4, text, line);
        case 'U' -> at = hexadecimal(literal, at, 8, text, line);
        case '0', '1', '2', '3', '4', '5', '6', '7' -> at = octal(literal, at - 1, text);
        default -> text.append('\\').append(escape);
      }
    }
    return text.toString();
  }

  private static int hexadecimal(
      String literal, int from, int digits, StringBuilder text, int line) {
    String number = literal.substring(from, Math.min(from + digits, literal.length()));
    if (!number.matches("[0-9a-fA-F]{" + digits + "}")
        || !Character.isValidCodePoint(Integer.parseUnsignedInt(number, 16))) {
      throw new TemplateException("truncated or illegal escape \\" + literal.charAt(from - 1))
          .at(line);
    }
    text.appendCodePoint(Integer.parseInt(number, 16));
    return from + digits;
  }

  private static int octal(String literal, int from, StringBuilder text) {
    int to = from;
    while (to < literal.length()
        && to < from + 3
        && literal.charAt(to) >= '0'
        && literal.charAt(to) <= '7') {
      to++;
    }
    text.append((char) Integer.parseInt(literal.substring(from, to), 8));
    return to;
  }
}
