package roll.sampling.grammar;

import java.util.List;

/** Parses single characters, escaped ones and sets of them in a regular expression. */
final class RegexCharacters {
  private static final String SPACES = " \t\n\r\f\u000b";

  private final RegexCursor cursor;

  RegexCharacters(RegexCursor cursor) {
    this.cursor = cursor;
  }

  /** Parses a character without a special meaning. */
  CodePoints literal() {
    CodePoints found = character(cursor.peek());
    cursor.skip();
    return found;
  }

  private CodePoints character(int c) {
    CodePoints found = CodePoints.of(c, c);
    if (found.ranges().isEmpty()) {
      throw cursor.refused("half of a surrogate pair");
    }
    return found;
  }

  /** Parses a set of characters after its bracket. */
  CodePoints set() {
    boolean negated = cursor.next("^");
    CodePoints all = new CodePoints(List.of());
    boolean first = true;
    while (first || !cursor.next("]")) {
      if (!cursor.more()) {
        throw cursor.refused("expected ']'");
      }
      CodePoints one = member();
      if (cursor.sees("-") && !cursor.sees("-]")) {
        cursor.skip();
        if (!cursor.more()) {
          throw cursor.refused("expected ']'");
        }
        one = CodePoints.of(single(one), single(member()));
        if (one.ranges().isEmpty()) {
          throw cursor.refused("a range of characters is reversed");
        }
      }
      all = all.or(one);
      first = false;
    }
    return negated ? all.complement() : all;
  }

  private CodePoints member() {
    return cursor.next("\\") ? escaped() : literal();
  }

  private int single(CodePoints one) {
    if (one.ranges().size() != 1
        || one.ranges().getFirst().first() != one.ranges().getFirst().last()) {
      throw cursor.refused("a range of characters needs single characters");
    }
    return one.ranges().getFirst().first();
  }

  /** Parses the rest of an escape after its backslash. */
  CodePoints escaped() {
    if (!cursor.more()) {
      throw cursor.refused("expected a character after '\\'");
    }
    int c = cursor.peek();
    if (!Character.isLetterOrDigit(c)) {
      return literal();
    }
    cursor.skip();
    return switch (c) {
      case 'd' -> CodePoints.of('0', '9');
      case 'D' -> CodePoints.of('0', '9').complement();
      case 'w' -> word();
      case 'W' -> word().complement();
      case 's' -> CodePoints.of(SPACES);
      case 'S' -> CodePoints.of(SPACES).complement();
      case 'n' -> CodePoints.of("\n");
      case 't' -> CodePoints.of("\t");
      case 'r' -> CodePoints.of("\r");
      case 'f' -> CodePoints.of("\f");
      case 'v' -> CodePoints.of("\u000b");
      case 'x' -> hexadecimal(2);
      case 'u' -> hexadecimal(4);
      default -> throw cursor.refused("'\\" + Character.toString(c) + "' is not supported");
    };
  }

  private static CodePoints word() {
    CodePoints letters = CodePoints.of('a', 'z').or(CodePoints.of('A', 'Z'));
    return letters.or(CodePoints.of('0', '9')).or(CodePoints.of("_"));
  }

  private CodePoints hexadecimal(int digits) {
    String text = cursor.take(digits);
    if (!text.matches("[0-9a-fA-F]{" + digits + "}")) {
      throw cursor.refused("expected " + digits + " hexadecimal digits");
    }
    return character(Integer.parseInt(text, 16));
  }
}
