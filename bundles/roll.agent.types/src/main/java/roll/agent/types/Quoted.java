package roll.agent.types;

/** Text between single quotes as Python writes it: line ends, quotes and backslashes escaped. */
final class Quoted {
  private Quoted() {}

  /** What stands between the quotes for {@code text}. */
  static String write(String text) {
    return text.replace("\\", "\\\\")
        .replace("'", "\\'")
        .replace("\n", "\\n")
        .replace("\r", "\\r")
        .replace("\t", "\\t");
  }

  /** The text for what stands between the quotes; a backslash before any other letter vanishes. */
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
