package roll.openai.answer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ends a streamed text before the first of several stop strings. */
final class StopStringFilter {
  private final List<String> stops;
  private String held = "";
  private @Nullable String found;

  StopStringFilter(List<String> stops) {
    this.stops = stops;
  }

  /** Takes a piece of text and returns the text that cannot begin a stop string. */
  String add(String piece) {
    if (found != null) {
      return "";
    }
    String text = held + piece;
    int end = -1;
    for (String stop : stops) {
      int at = text.indexOf(stop);
      if (at >= 0 && (end < 0 || at < end)) {
        end = at;
        found = stop;
      }
    }
    if (end >= 0) {
      held = "";
      return text.substring(0, end);
    }
    int safe = text.length() - beginning(text);
    held = text.substring(safe);
    return text.substring(0, safe);
  }

  /** Returns the length of the longest suffix of {@code text} that begins a stop string. */
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

  /** Returns the text held back; called once, at the end. */
  String rest() {
    return held;
  }

  /** Returns the stop string that was found, or null. */
  @Nullable String found() {
    return found;
  }
}
