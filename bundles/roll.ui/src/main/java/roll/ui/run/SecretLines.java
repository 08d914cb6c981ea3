package roll.ui.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.runtime.option.Secrets;

/**
 * Takes secrets out of YAML, line by line: a run leaves them out of its {@code config.yaml}, but
 * others may have put one in. Where it is not clear where a secret ends, more is left out.
 */
final class SecretLines {
  private static final Pattern KEY =
      Pattern.compile("( *)((?:- +)*)(['\"]?)([^\\s'\"#{\\[&*!|>%@`:-][^'\"]*?)\\3 *:(?: +(.*))?");

  private static final Pattern IN_FLOW =
      Pattern.compile(
          "(['\"]?)([\\w.-]+)\\1( *: *)"
              + "(\\$\\{[^}]*}|\"[^\"]*\"|'[^']*'|[^,{}\\[\\]\\s'\"][^,{}\\]]*)");

  /** The name of a variable is no secret. */
  private static final Pattern VARIABLE =
      Pattern.compile("['\"]?(?:Bearer |Basic |Token )?\\$\\{oc\\.env:[^,${}]+}['\"]?");

  private static final Pattern IN_ADDRESS = Pattern.compile("://[^/\\s@'\"]+@");

  private final Deque<Level> levels = new ArrayDeque<>();
  private int hidden = -1;

  /** None seen. */
  SecretLines() {}

  private record Level(int indent, String key) {}

  /** {@code yaml} with {@code …} in the place of secrets. */
  String without(String yaml) {
    StringJoiner shown = new StringJoiner("\n");
    String end = yaml.endsWith("\n") ? "\n" : "";
    for (String line : yaml.substring(0, yaml.length() - end.length()).split("\n", -1)) {
      String one = line(line.stripTrailing());
      if (one != null) {
        shown.add(IN_ADDRESS.matcher(one).replaceAll("://…@"));
      }
    }
    return shown + end;
  }

  private @Nullable String line(String line) {
    int indent = line.length() - line.stripLeading().length();
    boolean item = line.startsWith("-", indent);
    if (hidden >= 0 && (line.isBlank() || indent > hidden || (item && indent == hidden))) {
      return null;
    }
    hidden = -1;
    Matcher key = KEY.matcher(line);
    if (!key.matches()) {
      return flow(line);
    }
    int column = key.group(1).length() + key.group(2).length();
    while (!levels.isEmpty() && levels.peek().indent() >= column) {
      levels.pop();
    }
    levels.push(new Level(column, key.group(4)));
    String value = key.group(5) == null ? "" : key.group(5);
    if (!Secrets.is(path())) {
      return flow(line);
    }
    if (VARIABLE.matcher(value).matches()) {
      return line;
    }
    hidden = column;
    return line.substring(0, key.end(4)) + key.group(3) + ": …";
  }

  private String path() {
    StringJoiner path = new StringJoiner(".");
    for (Iterator<Level> all = levels.descendingIterator(); all.hasNext(); ) {
      path.add(all.next().key());
    }
    return path.toString();
  }

  /** Secrets in a mapping in braces. */
  private static String flow(String line) {
    if (line.indexOf('{') < 0) {
      return line;
    }
    return IN_FLOW
        .matcher(line)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    Secrets.is(found.group(2)) && !VARIABLE.matcher(found.group(4)).matches()
                        ? found.group().substring(0, found.start(4) - found.start()) + "…"
                        : found.group()));
  }
}
