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
 * Notices, those first that may tell of a mistake.
 *
 * @param telling each of them is worth a line
 * @param unneeded on keys that never do anything here, such as options of another engine; a line
 *     counts them
 */
public record NoticeList(List<String> telling, List<String> unneeded) {
  private static final int NAMED = 3;
  private static final Pattern KEY = Pattern.compile("^(?:key '([^']+)'|(\\S+) has no effect)");

  /** What a strategy says of the options of the engine whose name it has. */
  private static final Pattern OF_AN_ENGINE =
      Pattern.compile("^\\S*\\bstrategy_config\\S* has no effect\\b.*");

  /** The notices of {@code config} itself. */
  public static NoticeList of(LoadedConfig config) {
    return of(config, config.notices());
  }

  /** {@code notices}, which {@code config} has or others have on it. */
  public static NoticeList of(LoadedConfig config, List<String> notices) {
    List<String> telling = new ArrayList<>();
    List<String> unneeded = new ArrayList<>();
    for (String notice : notices) {
      boolean idle = config.unneeded().contains(notice) || OF_AN_ENGINE.matcher(notice).matches();
      (idle ? unneeded : telling).add(notice);
    }
    return new NoticeList(List.copyOf(telling), List.copyOf(unneeded));
  }

  /** A line each, or for all unneeded ones together where these are several. */
  public List<String> lines() {
    if (unneeded.size() < 2) {
      return all();
    }
    List<String> lines = new ArrayList<>(telling);
    String more = unneeded.size() > NAMED ? ", …" : "";
    lines.add(
        unneeded.stream()
            .limit(NAMED)
            .map(NoticeList::key)
            .collect(
                Collectors.joining(
                    ", ",
                    unneeded.size() + " keys are not needed here and do nothing (",
                    more + "); `check --full` says why")));
    return lines;
  }

  /** A line each. */
  List<String> all() {
    List<String> lines = new ArrayList<>(telling);
    lines.addAll(unneeded);
    return lines;
  }

  /** Prints {@link #lines}. */
  void print(PrintStream out) {
    lines().forEach(line -> out.println(line(line)));
  }

  /** The line that shows {@code notice}, without what would move a terminal's text. */
  public static String line(String notice) {
    return "notice: " + TerminalText.visible(notice);
  }

  private static String key(String notice) {
    Matcher key = KEY.matcher(notice);
    return !key.find() ? notice : key.group(1) == null ? key.group(2) : key.group(1);
  }
}
