package roll.env.click_and_read;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses actions in the format of the agent type {@code gui}: {@code click(start_box='(400,300)')},
 * {@code scroll(direction='down')}, {@code hotkey(key='alt left')} for back, {@code
 * finished(content='1988')} for the answer.
 */
final class UiTarsAction {
  private static final Pattern CALL = Pattern.compile("(\\w++)\\s*+\\((.*)\\)", Pattern.DOTALL);
  private static final Pattern ARGUMENT =
      Pattern.compile(
          "\\b(\\w++)\\s*+=\\s*+(?:'((?:[^'\\\\]|\\\\.)*+)'|\"((?:[^\"\\\\]|\\\\.)*+)\")",
          Pattern.DOTALL);
  private static final Pattern NUMBER = Pattern.compile("-?\\d{1,9}(?:\\.\\d{1,9})?");

  private UiTarsAction() {}

  /** Returns the action at the beginning of {@code text}; empty if there is none. */
  static Optional<Action> of(String text) {
    Matcher call = CALL.matcher(text);
    if (!call.lookingAt()) {
      return Optional.empty();
    }
    Map<String, String> arguments = arguments(call.group(2));
    return switch (call.group(1)) {
      case "click", "left_double" -> click(arguments);
      case "scroll" -> scroll(arguments.getOrDefault("direction", ""));
      case "hotkey" -> hotkey(arguments.getOrDefault("key", ""));
      case "finished" -> answer(arguments.getOrDefault("content", ""));
      default -> Optional.empty();
    };
  }

  private static Map<String, String> arguments(String written) {
    Map<String, String> arguments = new HashMap<>();
    for (Matcher one = ARGUMENT.matcher(written); one.find(); ) {
      String quoted = one.group(2) == null ? one.group(3) : one.group(2);
      arguments.put(one.group(1), quoted.replace("\\n", "\n").replaceAll("\\\\(.)", "$1"));
    }
    return arguments;
  }

  /** Returns a click on a point or on the center of a box. */
  private static Optional<Action> click(Map<String, String> arguments) {
    String box = arguments.getOrDefault("start_box", arguments.getOrDefault("point", ""));
    double[] numbers =
        NUMBER
            .matcher(box)
            .results()
            .limit(5)
            .mapToDouble(number -> Double.parseDouble(number.group()))
            .toArray();
    if (numbers.length != 2 && numbers.length != 4) {
      return Optional.empty();
    }
    int last = numbers.length - 1;
    long x = (long) Math.floor((numbers[0] + numbers[last - 1]) / 2);
    long y = (long) Math.floor((numbers[1] + numbers[last]) / 2);
    return Optional.of(new Action.Click(x + "," + y));
  }

  private static Optional<Action> scroll(String direction) {
    return switch (direction.strip().toLowerCase(Locale.ROOT)) {
      case "down" -> Optional.of(new Action.Scroll(true));
      case "up" -> Optional.of(new Action.Scroll(false));
      default -> Optional.empty();
    };
  }

  private static Optional<Action> hotkey(String key) {
    return switch (key.strip().toLowerCase(Locale.ROOT)) {
      case "alt left", "alt arrowleft", "alt+left" -> Optional.of(new Action.Back());
      default -> Optional.empty();
    };
  }

  private static Optional<Action> answer(String content) {
    return content.isBlank() ? Optional.empty() : Optional.of(new Action.Answer(content.strip()));
  }
}
