package roll.reward.math_verify;

/**
 * The end of a response that ROLL's rule for mathematics grades: what follows the thoughts, without
 * thoughts the last paragraph, and of it the last box.
 */
final class Conclusion {
  private static final String THINK = "<think>";
  private static final String END = "</think>";
  private static final String PARAGRAPH = "\n\n";
  private static final String BOX = "\\boxed{";

  private Conclusion() {}

  /** Returns what is graded of {@code response}; empty if it has no conclusion. */
  static String of(String response) {
    String rest = rest(response);
    int box = rest.lastIndexOf(BOX);
    String content = box < 0 ? null : rest.substring(box + BOX.length());
    int depth = 1;
    for (int i = 0; content != null && i < content.length(); i++) {
      depth += content.charAt(i) == '{' ? 1 : content.charAt(i) == '}' ? -1 : 0;
      if (depth == 0) {
        return "$" + content.substring(0, i) + "$";
      }
    }
    return rest;
  }

  /** The text behind the thoughts, of which there are none but at the beginning. */
  private static String rest(String response) {
    int thoughts = response.lastIndexOf(END);
    boolean twice = response.indexOf(END) != thoughts;
    if (twice || (response.lastIndexOf(THINK) > 0 && !response.startsWith(THINK))) {
      return "";
    }
    if (thoughts >= 0) {
      return response.substring(thoughts + END.length()).strip();
    }
    int paragraph = response.lastIndexOf(PARAGRAPH);
    return paragraph < 0 ? "" : response.substring(paragraph + PARAGRAPH.length()).strip();
  }
}
