package roll.reward.math;

import java.util.Optional;

/** Extracts LaTeX boxes: {@code \boxed{…}}, {@code \fbox{…}} or {@code \boxed x}. */
final class BoxedText {
  /** Maximum number of unclosed boxes; a response with more has no box. */
  private static final int MOST = 100;

  private BoxedText() {}

  /** Returns the content of the last closed box; empty without one. */
  static Optional<String> last(String text) {
    int from = text.length();
    for (int tried = 0; tried < MOST && from >= 0; tried++) {
      int at = Math.max(text.lastIndexOf("\\boxed", from), text.lastIndexOf("\\fbox", from));
      if (at < 0) {
        return Optional.empty();
      }
      Optional<String> content = content(text, text.startsWith("\\boxed", at) ? at + 6 : at + 5);
      if (content.isPresent()) {
        return content;
      }
      from = at - 1;
    }
    return Optional.empty();
  }

  private static Optional<String> content(String text, int from) {
    int start = from;
    while (start < text.length() && text.charAt(start) == ' ') {
      start++;
    }
    if (start < text.length() && text.charAt(start) == '{') {
      int end = close(text, start);
      return end < 0 ? Optional.empty() : Optional.of(text.substring(start + 1, end));
    }
    if (start == from) {
      return Optional.empty(); // another command with this beginning
    }
    int end = start;
    while (end < text.length() && text.charAt(end) != '$' && text.charAt(end) != '\n') {
      end++;
    }
    String bare = text.substring(start, end).strip();
    return bare.isEmpty() ? Optional.empty() : Optional.of(bare);
  }

  /**
   * Returns the index of the brace that closes the one at {@code open}, or −1; escaped braces do
   * not count.
   */
  private static int close(String text, int open) {
    int depth = 0;
    for (int i = open; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '\\' -> i++;
        case '{' -> depth++;
        case '}' -> depth--;
        default -> {}
      }
      if (depth == 0) {
        return i;
      }
    }
    return -1;
  }
}
