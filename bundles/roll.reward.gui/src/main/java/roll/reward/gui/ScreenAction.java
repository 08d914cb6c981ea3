package roll.reward.gui;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An action on a screen in UI-TARS's format: {@code click(start_box='(960,540)')}.
 *
 * @param name the action in lower case, such as {@code type} or {@code scroll}
 * @param arguments by name
 */
record ScreenAction(String name, Map<String, String> arguments) {
  /** Maximum length of a response with an action; the action is at its end. */
  private static final int END = 4000;

  private static final Pattern CALL = Pattern.compile("(\\w+)\\(([^\\n]*)\\)");
  private static final Pattern ARGUMENT =
      Pattern.compile("(\\w+)\\s*=\\s*(?:'((?:[^'\\\\]|\\\\.)*+)'|\"((?:[^\"\\\\]|\\\\.)*+)\")");
  private static final Pattern NUMBER = Pattern.compile("-?\\d+(?:\\.\\d+)?");

  /** A position on the screen, relative to its width and height. */
  record Place(double x, double y) {
    double distance(Place other) {
      return Math.hypot(x - other.x, y - other.y);
    }
  }

  /**
   * Parses the action after the last {@code Action:} of a response, or in all of it without that
   * mark.
   */
  static Optional<ScreenAction> in(String response) {
    String end = response.substring(Math.max(0, response.length() - END));
    int mark = end.lastIndexOf("Action:");
    Matcher call = CALL.matcher(mark < 0 ? end : end.substring(mark + "Action:".length()));
    if (!call.find()) {
      return Optional.empty();
    }
    Map<String, String> arguments = new LinkedHashMap<>();
    for (Matcher one = ARGUMENT.matcher(call.group(2)); one.find(); ) {
      String quoted = one.group(2) == null ? one.group(3) : one.group(2);
      arguments.put(one.group(1), quoted.replace("\\n", "\n").replaceAll("\\\\(.)", "$1"));
    }
    return Optional.of(new ScreenAction(call.group(1).toLowerCase(Locale.ROOT), arguments));
  }

  /** Returns the argument {@code key}; empty if missing. */
  String text(String key) {
    return arguments.getOrDefault(key, "");
  }

  /**
   * Returns the point in the argument {@code key}, or the center of its box; empty without numbers.
   */
  Optional<Place> place(String key, double width, double height) {
    double[] found =
        NUMBER
            .matcher(text(key))
            .results()
            .limit(4)
            .mapToDouble(n -> Double.parseDouble(n.group()))
            .toArray();
    return switch (found.length) {
      case 2 -> Optional.of(new Place(found[0] / width, found[1] / height));
      case 4 ->
          Optional.of(
              new Place((found[0] + found[2]) / 2 / width, (found[1] + found[3]) / 2 / height));
      default -> Optional.empty();
    };
  }
}
