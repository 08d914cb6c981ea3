package roll.reward.code;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Extracts and quotes Python programs. */
final class PythonSource {
  private static final Pattern BLOCK =
      Pattern.compile("```(?:python|py)[ \\t]*\\R(.*?)(?:```|\\z)", Pattern.DOTALL);

  private PythonSource() {}

  /** Returns the last Python block of {@code response}, or all of it without one. */
  static String in(String response) {
    String program = response;
    for (Matcher block = BLOCK.matcher(response); block.find(); ) {
      program = block.group(1);
    }
    return program;
  }

  /** Returns {@code text} as a Python string literal. */
  static String literal(String text) {
    StringBuilder literal = new StringBuilder("'");
    text.codePoints()
        .forEach(
            c -> {
              if (c >= ' ' && c < 127 && c != '\'' && c != '\\') {
                literal.append((char) c);
              } else {
                literal.append("\\U%08x".formatted(c));
              }
            });
    return literal.append('\'').toString();
  }
}
