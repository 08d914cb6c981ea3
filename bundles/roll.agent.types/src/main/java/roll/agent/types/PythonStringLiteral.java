package roll.agent.types;

/** Python's single-quoted strings: line ends, quotes and backslashes are escaped. */
final class PythonStringLiteral {
  private PythonStringLiteral() {}

  /** Returns {@code text} escaped, without the quotes. */
  static String write(String text) {
    return text.replace("\\", "\\\\")
        .replace("'", "\\'")
        .replace("\n", "\\n")
        .replace("\r", "\\r")
        .replace("\t", "\\t");
  }

  /** Returns the text of an escaped string; a backslash before any other letter is dropped. */
  static String read(String quoted) {
    StringBuilder text = new StringBuilder(quoted.length());
    for (int i = 0; i < quoted.length(); i++) {
      char letter = quoted.charAt(i);
      if (letter == '\\' && i + 1 < quoted.length()) {
        i++;
        letter =
            switch (quoted.charAt(i)) {
              case 'n' -> '\n';
              case 'r' -> '\r';
              case 't' -> '\t';
              default -> quoted.charAt(i);
            };
      }
      text.append(letter);
    }
    return text.toString();
  }
}
