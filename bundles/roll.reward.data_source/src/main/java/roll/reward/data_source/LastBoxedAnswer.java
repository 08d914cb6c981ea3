package roll.reward.data_source;

import java.util.Optional;

/** Extracts the last {@code \boxed{…}} of a LaTeX text. */
final class LastBoxedAnswer {
  private static final String BOX = "\\boxed{";

  private LastBoxedAnswer() {}

  /** Returns the content of the last box; empty without a box, or if the last one is not closed. */
  static Optional<String> in(String text) {
    int box = text.lastIndexOf(BOX);
    if (box < 0) {
      return Optional.empty();
    }
    int start = box + BOX.length();
    int depth = 1;
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (depth == 0) {
        return Optional.of(text.substring(start, i));
      }
    }
    return Optional.empty();
  }
}
