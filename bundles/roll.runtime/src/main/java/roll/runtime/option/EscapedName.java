package roll.runtime.option;

import java.util.Locale;

/** Escapes names: letters are written by their code points. */
final class EscapedName {
  private static final int HEXADECIMAL = 16;

  private EscapedName() {}

  /**
   * {@code name} in lower case, with underscores for hyphens, without leading ones, and with the
   * letters that JSON ({@code \}{@code u005f}), YAML ({@code \x5f}) or an address ({@code %5f})
   * write by number.
   */
  static String plain(String name) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      int digits =
          name.startsWith("\\u", i)
              ? 4
              : name.startsWith("\\x", i) || name.charAt(i) == '%' ? 2 : 0;
      int from = name.charAt(i) == '%' ? i + 1 : i + 2;
      int letter = digits == 0 ? -1 : number(name, from, digits);
      plain.append(letter < 0 ? name.charAt(i) : (char) letter);
      i = letter < 0 ? i : from + digits - 1;
    }
    String lower = plain.toString().toLowerCase(Locale.ROOT).replace('-', '_');
    int first = 0;
    while (first < lower.length() && lower.charAt(first) == '_') {
      first++;
    }
    return lower.substring(first);
  }

  /** Parses {@code digits} digits; −1 if others are there. */
  private static int number(String text, int from, int digits) {
    int number = 0;
    for (int i = from; i < from + digits; i++) {
      int digit = i < text.length() ? Character.digit(text.charAt(i), HEXADECIMAL) : -1;
      if (digit < 0) {
        return -1;
      }
      number = number * HEXADECIMAL + digit;
    }
    return number;
  }
}
