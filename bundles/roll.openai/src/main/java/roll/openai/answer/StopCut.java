package roll.openai.answer;

import java.util.List;

/** Cuts a text, as it comes, before the first of some stop strings. */
final class StopCut {
  private final List<String> stops;
  private String held = "";
  private boolean cut;

  StopCut(List<String> stops) {
    this.stops = stops;
  }

  /** Takes a piece; gives what cannot be the beginning of a stop string any more. */
  String add(String piece) {
    if (cut) {
      return "";
    }
    String text = held + piece;
    int end = -1;
    for (String stop : stops) {
      int at = text.indexOf(stop);
      end = at >= 0 && (end < 0 || at < end) ? at : end;
    }
    if (end >= 0) {
      cut = true;
      held = "";
      return text.substring(0, end);
    }
    int safe = text.length() - beginning(text);
    held = text.substring(safe);
    return text.substring(0, safe);
  }

  /** Length of the longest end of {@code text} that a stop string begins with. */
  private int beginning(String text) {
    int longest = 0;
    for (String stop : stops) {
      for (int n = Math.min(stop.length() - 1, text.length()); n > longest; n--) {
        if (text.endsWith(stop.substring(0, n))) {
          longest = n;
        }
      }
    }
    return longest;
  }

  /** What was held back; to be asked once, at the end. */
  String rest() {
    return held;
  }

  /** Whether a stop string was found. */
  boolean found() {
    return cut;
  }
}
