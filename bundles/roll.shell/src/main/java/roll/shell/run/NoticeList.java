package roll.shell.run;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import roll.runtime.config.LoadedConfig;
import roll.text.TerminalText;

/**
 * Notices on a configuration, those that may indicate a mistake first.
 *
 * @param important printed one per line
 * @param unneeded about keys without effect here, such as options of another engine; summarized in
 *     one line
 */
public record NoticeList(List<String> important, List<String> unneeded) {
  private static final int NAMED = 3;
  private static final Pattern KEY = Pattern.compile("^(?:key '([^']+)'|(\\S+) has no effect)");

  /** A strategy's notices on options of the original engine. */
  private static final Pattern OF_AN_ENGINE =
      Pattern.compile("^\\S*\\bstrategy_config\\S* has no effect\\b.*");

  /** Returns the notices of {@code config} itself. */
  public static NoticeList of(LoadedConfig config) {
    return of(config, config.notices());
  }

  /** Returns {@code notices} on {@code config}, sorted into the two groups. */
  public static NoticeList of(LoadedConfig config, List<String> notices) {
    List<String> important = new ArrayList<>();
    List<String> unneeded = new ArrayList<>();
    for (String notice : notices) {
      boolean idle = config.unneeded().contains(notice) || OF_AN_ENGINE.matcher(notice).matches();
      (idle ? unneeded : important).add(notice);
    }
    return new NoticeList(List.copyOf(important), List.copyOf(unneeded));
  }

  /** Returns a line for each notice; several unneeded ones share a line. */
  public List<String> lines() {
    if (unneeded.size() < 2) {
      return all();
    }
    List<String> lines = new ArrayList<>(important);
    String more = unneeded.size() > NAMED ? ", …" : "";
    lines.add(
        unneeded.stream()
            .limit(NAMED)
            .map(NoticeList::key)
            .collect(
                Collectors.joining(
                    ", ",
                    unneeded.size() + " keys have no effect here (",
                    more + "); `check --full` explains each")));
    return lines;
  }

  /** Returns a line for each notice. */
  List<String> all() {
    List<String> lines = new ArrayList<>(important);
    lines.addAll(unneeded);
    return lines;
  }

  /** Prints the notices of {@link #lines}. */
  public void print(PrintStream out) {
    lines().forEach(line -> out.println(line(line)));
  }

  /** Returns the line for {@code notice}, without terminal control characters. */
  public static String line(String notice) {
    return "notice: " + TerminalText.visible(notice);
  }

  private static String key(String notice) {
    Matcher key = KEY.matcher(notice);
    return !key.find() ? notice : key.group(1) == null ? key.group(2) : key.group(1);
  }
}
