package roll.reward.guideline;

import java.util.regex.Pattern;

/** Removes thoughts and boxed answers from a guideline, so that they do not reach the solver. */
final class GuidelineCleaner {
  private static final Pattern THOUGHTS = Pattern.compile("(?s)<think>.*?(?:</think>|\\z)");
  private static final Pattern BOX = Pattern.compile("\\\\boxed\\s*\\{");

  private GuidelineCleaner() {}

  /**
   * Returns {@code response} without {@code <think>…</think>}, anything after an unclosed {@code
   * <think>}, and {@code \boxed{…}}; an unclosed box extends to the end.
   */
  static String clean(String response) {
    String text = THOUGHTS.matcher(response).replaceAll("");
    StringBuilder clean = new StringBuilder();
    int from = 0;
    for (var box = BOX.matcher(text); from < text.length() && box.find(from); ) {
      clean.append(text, from, box.start());
      from = end(text, box.end());
    }
    return clean.append(text, from, text.length()).toString().strip();
  }

  /**
   * Returns the index after the brace that closes the one before {@code from}; escaped braces do
   * not count.
   */
  private static int end(String text, int from) {
    int depth = 1;
    for (int i = from; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '\\' -> i++;
        case '{' -> depth++;
        case '}' -> depth--;
        default -> {}
      }
      if (depth == 0) {
        return i + 1;
      }
    }
    return text.length();
  }
}
