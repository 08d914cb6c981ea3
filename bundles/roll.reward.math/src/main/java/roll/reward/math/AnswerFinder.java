package roll.reward.math;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Extracts the answer of a response. */
final class AnswerFinder {
  private static final String FINAL = "####";

  /**
   * Pattern of a number with or without thousands separators; a minus counts unless it subtracts.
   */
  private static final String NUMBER =
      "(?:(?<![)\\]}])-)?(?:(?:\\d{1,3}(?:,\\d{3})+(?!\\d)|\\d+)(?:\\.\\d+)?|\\.\\d+)";

  private static final Pattern NUMBERS =
      Pattern.compile("(?=[-.\\d])(?<![\\w.])" + NUMBER + "(?:/\\d++(?![\\d.]*\\d))?");

  private static final Pattern FINAL_NUMBER =
      Pattern.compile("[$€£]?\\s*(" + NUMBER + "(?:/\\d+)?)(?:\\s*+%|\\s++[\\p{L} ]*+)?\\.?");

  private AnswerFinder() {}

  /**
   * Returns the content of the last box, otherwise the text after the last {@code ####} on its
   * line, otherwise the last number without thousands separators, otherwise the whole response;
   * empty if it is blank.
   */
  static Optional<String> in(String response) {
    return BoxedText.last(response)
        .or(() -> marked(response))
        .or(() -> lastNumber(response))
        .or(() -> Optional.of(response.strip()).filter(whole -> !whole.isEmpty()));
  }

  /** Returns the last number in {@code text}, including fractions of integers. */
  static Optional<String> lastNumber(String text) {
    Matcher number = NUMBERS.matcher(text);
    String last = null;
    while (number.find()) {
      last = number.group();
    }
    return Optional.ofNullable(last).map(found -> found.replace(",", ""));
  }

  private static Optional<String> marked(String response) {
    int mark = response.lastIndexOf(FINAL);
    if (mark < 0) {
      return Optional.empty();
    }
    String rest = response.substring(mark + FINAL.length());
    String line = rest.lines().findFirst().orElse("").strip();
    Matcher number = FINAL_NUMBER.matcher(line);
    return line.isEmpty()
        ? Optional.empty()
        : Optional.of(number.matches() ? number.group(1).replace(",", "") : line);
  }
}
