package roll.reward.code;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Programs as text. */
final class Programs {
  private static final Pattern BLOCK =
      Pattern.compile("```(?:python|py)[ \\t]*\\R(.*?)(?:```|\\z)", Pattern.DOTALL);

  private Programs() {}

  /** The last block of Python in {@code response}; of none, all of it. */
  static String in(String response) {
    String program = response;
    for (Matcher block = BLOCK.matcher(response); block.find(); ) {
      program = block.group(1);
    }
    return program;
  }

  /** {@code text} as Python writes it in a program. */
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
