package roll.config.build;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.tree.YamlTree;

/**
 * Device numbers as ROLL writes them: nothing (the CPU), a number, a list, or a text of lists and
 * {@code list(range(from,to,step))} joined by {@code +}. ROLL evaluates that text as Python; here
 * it is a small grammar.
 */
public final class DeviceMapping {
  private static final String ALLOWED =
      "null, [0,1], list(range(0,8)) or several of them joined by +";
  private static final int MOST = 4096;
  private static final Pattern RANGE =
      Pattern.compile("list\\(range\\((-?\\d{1,6})(?:,(-?\\d{1,6}))?(?:,(-?\\d{1,6}))?\\)\\)");
  private static final Pattern LIST = Pattern.compile("\\[((?:\\d{1,6}(?:,\\d{1,6})*+,?)?)]");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,6}");

  private DeviceMapping() {}

  /**
   * Returns the devices that {@code value} names, in order; empty for the CPU.
   *
   * @param where place and key, for messages
   * @throws UserException if it is none of the allowed forms or names a device twice
   */
  public static List<Integer> devices(String where, @Nullable Object value) {
    String text =
        switch (value) {
          case null -> "[]";
          case Integer number -> "[" + number + "]";
          case List<?> list -> list.toString();
          case String string -> string;
          default -> throw wrong(where, value, "expected " + ALLOWED);
        };
    List<Integer> devices = new ArrayList<>();
    String terms = text.replaceAll("\\s", "").replaceAll("list\\((\\[[\\d,]*])\\)", "$1");
    for (String term : terms.split("\\+", -1)) {
      term(where, value, term, devices);
      if (devices.size() > MOST) {
        throw wrong(where, value, "at most " + MOST + " devices");
      }
    }
    if (devices.stream().anyMatch(device -> device < 0)) {
      throw wrong(where, value, "device numbers start at 0");
    }
    if (devices.stream().distinct().count() < devices.size()) {
      throw wrong(where, value, "a device is named twice");
    }
    return List.copyOf(devices);
  }

  private static void term(
      String where, @Nullable Object value, String term, List<Integer> devices) {
    Matcher range = RANGE.matcher(term);
    Matcher list = LIST.matcher(term);
    if (range.matches()) {
      range(where, value, range, devices);
    } else if (list.matches()) {
      Pattern.compile(",")
          .splitAsStream(list.group(1))
          .filter(number -> !number.isEmpty())
          .limit(MOST + 1L)
          .forEach(number -> devices.add(Integer.valueOf(number)));
    } else if (NUMBER.matcher(term).matches()) {
      devices.add(Integer.valueOf(term));
    } else {
      throw wrong(where, value, "expected " + ALLOWED);
    }
  }

  private static void range(
      String where, @Nullable Object value, Matcher range, List<Integer> devices) {
    int first = Integer.parseInt(range.group(1));
    int from = range.group(2) == null ? 0 : first;
    int to = range.group(2) == null ? first : Integer.parseInt(range.group(2));
    int step = range.group(3) == null ? 1 : Integer.parseInt(range.group(3));
    if (step == 0) {
      throw wrong(where, value, "the step of a range is not 0");
    }
    if (Math.abs((long) to - from) > MOST) {
      throw wrong(where, value, "at most " + MOST + " devices");
    }
    IntStream.iterate(from, i -> step > 0 ? i < to : i > to, i -> i + step).forEach(devices::add);
  }

  private static UserException wrong(String where, @Nullable Object value, String why) {
    return new UserException(where + ": " + why + ", found " + YamlTree.shown(value));
  }
}
