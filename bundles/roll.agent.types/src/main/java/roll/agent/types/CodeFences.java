package roll.agent.types;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fenced code blocks as in CommonMark: a line of at least three backticks and a language, ended by
 * a line of at least as many backticks. An unclosed block does not count.
 */
final class CodeFences {
  private static final Pattern FENCE = Pattern.compile("[ \\t]*(`{3,})([^`]*)");
  private static final Pattern TICKS = Pattern.compile("(?m)^[ \\t]*(`{3,})");

  private CodeFences() {}

  /**
   * Returns the contents of the blocks of {@code language}, case-insensitive, without their last
   * line end.
   */
  static List<String> read(String text, String language) {
    List<String> blocks = new ArrayList<>();
    String[] lines = text.split("\n", -1);
    int start = -1;
    String fence = "";
    String spoken = "";
    for (int i = 0; i < lines.length; i++) {
      Matcher line = FENCE.matcher(lines[i]);
      if (!line.matches()) {
        continue;
      }
      String ticks = line.group(1);
      String info = line.group(2).strip();
      if (start < 0) {
        start = i + 1;
        fence = ticks;
        spoken = info.split("\\s", 2)[0].toLowerCase(Locale.ROOT);
      } else if (info.isEmpty() && ticks.length() >= fence.length()) {
        if (spoken.equals(language)) {
          blocks.add(String.join("\n", List.of(lines).subList(start, i)));
        }
        start = -1;
      }
    }
    return blocks;
  }

  /** Returns {@code code} as a block with a fence longer than any in it. */
  static String write(String code, String language) {
    int longest =
        TICKS.matcher(code).results().mapToInt(ticks -> ticks.group(1).length()).max().orElse(2);
    String fence = "`".repeat(longest + 1);
    return fence + language + "\n" + code + "\n" + fence;
  }
}
