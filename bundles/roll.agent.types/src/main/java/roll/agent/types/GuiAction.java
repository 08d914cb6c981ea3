package roll.agent.types;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import roll.api.image.PictureScale;
import roll.api.tool.ToolCall;

/**
 * An action in UI-TARS' format: {@code click(start_box='(400,300)')}. Boxes become lists of two or
 * four numbers; {@code point}, {@code start_point} and {@code end_point} of later models are
 * aliases of the boxes.
 */
final class GuiAction {
  /** UI-TARS actions with their arguments; those with a question mark are optional. */
  static final Map<String, List<String>> ARGUMENTS = arguments();

  private static final Map<String, String> ALIASES =
      Map.of("point", "start_box", "start_point", "start_box", "end_point", "end_box");
  private static final Pattern NAME = Pattern.compile("\\s*(\\w+)\\s*\\(\\s*");
  private static final Pattern KEY = Pattern.compile("(\\w+)\\s*=\\s*(['\"])");
  private static final Pattern NEXT = Pattern.compile("\\s*(?:,\\s*|(?=\\)))");
  private static final Pattern NUMBER =
      Pattern.compile("-?\\d{1,18}(?:\\.\\d{1,18})?(?:[eE][+-]?\\d{1,3})?");
  private static final Pattern MARKS = Pattern.compile("<[^<>]{0,40}>");

  private GuiAction() {}

  private static Map<String, List<String>> arguments() {
    Map<String, List<String>> known = new LinkedHashMap<>();
    for (String click : List.of("click", "left_double", "right_single")) {
      known.put(click, List.of("start_box"));
    }
    known.put("drag", List.of("start_box", "end_box"));
    known.put("hotkey", List.of("key"));
    known.put("type", List.of("content"));
    known.put("scroll", List.of("start_box?", "direction"));
    known.put("wait", List.of());
    known.put("finished", List.of("content?"));
    known.put("call_user", List.of());
    return known;
  }

  /** Returns the action at the beginning of {@code text}; empty if there is none. */
  static Optional<ToolCall> read(String text) {
    Matcher name = NAME.matcher(text);
    if (!name.lookingAt() || !ARGUMENTS.containsKey(name.group(1))) {
      return Optional.empty();
    }
    Map<String, Object> arguments = new LinkedHashMap<>();
    int at = name.end();
    while (at < text.length() && text.charAt(at) != ')') {
      Matcher key = KEY.matcher(text).region(at, text.length());
      if (!key.lookingAt()) {
        return Optional.empty();
      }
      int end = end(text, key.end(), key.group(2).charAt(0));
      Matcher next = NEXT.matcher(text).region(Math.min(end + 1, text.length()), text.length());
      Object value = end < 0 ? null : value(key.group(1), text.substring(key.end(), end));
      if (value == null || !next.lookingAt()) {
        return Optional.empty();
      }
      arguments.put(ALIASES.getOrDefault(key.group(1), key.group(1)), value);
      at = next.end();
    }
    return Optional.of(ToolCall.of(name.group(1), arguments))
        .filter(call -> text.indexOf(')', name.end()) >= 0 && fits(call));
  }

  /** Returns the end of the quoted text that begins at {@code from}; −1 if it is unclosed. */
  private static int end(String text, int from, char quote) {
    for (int i = from; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      } else if (text.charAt(i) == quote) {
        return i;
      }
    }
    return -1;
  }

  private static @Nullable Object value(String key, String quoted) {
    if (!key.endsWith("box") && !key.endsWith("point")) {
      return PythonStringLiteral.read(quoted);
    }
    List<Object> numbers = new ArrayList<>();
    Matcher number = NUMBER.matcher(MARKS.matcher(quoted).replaceAll(" "));
    while (number.find()) {
      String digits = number.group();
      boolean whole = digits.matches("-?\\d+");
      numbers.add(whole ? (Object) Long.valueOf(digits) : (Object) Double.valueOf(digits));
    }
    return numbers.size() == 2 || numbers.size() == 4 ? numbers : null;
  }

  /** Returns whether the call has exactly the arguments of its action. */
  private static boolean fits(ToolCall call) {
    List<String> known = ARGUMENTS.getOrDefault(call.tool(), List.of());
    return call.arguments().keySet().stream()
            .allMatch(key -> known.contains(key) || known.contains(key + "?"))
        && known.stream().allMatch(key -> key.endsWith("?") || call.arguments().containsKey(key));
  }

  /**
   * Returns the GUI action as text.
   *
   * @throws IllegalArgumentException if {@code call} is not such an action
   */
  static String write(ToolCall call) {
    String arguments =
        call.arguments().entrySet().stream()
            .map(argument -> argument.getKey() + "='" + shown(argument.getValue()) + "'")
            .collect(Collectors.joining(", "));
    String text = ToolCallWriter.name(call) + "(" + arguments + ")";
    if (!read(text).equals(Optional.of(call))) {
      throw new IllegalArgumentException("not a GUI action: " + call);
    }
    return text;
  }

  private static String shown(Object value) {
    return value instanceof List<?> numbers
        ? numbers.stream().map(JsonTexts::line).collect(Collectors.joining(",", "(", ")"))
        : PythonStringLiteral.write(String.valueOf(value));
  }

  /** Returns the action {@code call} with its coordinates in pixels of the picture. */
  static ToolCall scaled(ToolCall call, PictureScale scale) {
    Map<String, Object> arguments = new LinkedHashMap<>(call.arguments());
    arguments.replaceAll((_, value) -> value instanceof List<?> box ? scaled(box, scale) : value);
    return ToolCall.of(call.tool(), arguments);
  }

  private static List<Object> scaled(List<?> box, PictureScale scale) {
    List<Object> places = new ArrayList<>();
    for (int i = 0; i < box.size(); i++) {
      double seen = ((Number) box.get(i)).doubleValue();
      places.add(i % 2 == 0 ? scale.x(seen) : scale.y(seen));
    }
    return List.copyOf(places);
  }
}
