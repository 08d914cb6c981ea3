package roll.grid;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.text.BoundedSearch;

/**
 * Finds the action in a response (ROLL's {@code action_pattern}): special tokens are removed, the
 * first match counts, one capture group is the action, two are thought and action; with a lookup
 * the action must be one of its values, in any case.
 */
public final class ActionParser {
  /** Option: a regular expression with one group, the action, or two, thought and action. */
  public static final Option<String> PATTERN =
      Option.text("action_pattern", "regular expression whose last group is the action")
          .withDefault("<answer>(.*?)</answer>");

  /** Texts to remove from a response before parsing. */
  public static final Option<List<String>> SPECIAL_TOKENS =
      Option.list("special_token_list", "removed before the action is sought")
          .withDefault(List.of("<|im_start|>", "<|im_end|>"));

  private static final Pattern GROUP = Pattern.compile("\\((?!\\?)[^()]*\\)");

  /**
   * Regular expression of literal text in a pattern; white space of any length ends where other
   * text follows.
   */
  private static final String LITERAL =
      "X(?:\\\\s[*+]?(?!\\\\?\\s)X)*".replace("X", "(?:[^\\\\\\[\\](){}.*+?|^$]|\\\\\\W)+");

  private static final String ANY_TEXT = "\\(\\.\\*\\??\\)";

  private static final Pattern LITERALS_AND_ANY_TEXT =
      Pattern.compile(
          "(\\^?(?:L)?)(?:(A)(L))?(AL\\$?)".replace("L", LITERAL).replace("A", ANY_TEXT));

  private final Pattern onePass;
  private final List<String> specialTokens;
  private final Map<Integer, String> lookup;
  private final String before;
  private final String after;

  /** Cache of the responses that {@link #respond} writes, by text and by action name. */
  private final Map<String, Action> written = new HashMap<>();

  private final Map<String, String> responses = new HashMap<>();

  /**
   * Creates a parser.
   *
   * @param options options with {@link #PATTERN} and {@link #SPECIAL_TOKENS}
   * @param lookup number and name of each action; empty accepts any text
   * @throws roll.api.option.UserException if the pattern is not a regular expression or has no
   *     group
   */
  public ActionParser(Options options, Map<Integer, String> lookup) {
    Pattern pattern;
    try {
      pattern = Pattern.compile(options.get(PATTERN), Pattern.DOTALL);
    } catch (PatternSyntaxException e) {
      throw options.wrong(PATTERN, "a regular expression (" + e.getDescription() + ")");
    }
    int groups = pattern.matcher("").groupCount();
    if (groups != 1 && groups != 2) {
      throw options.wrong(PATTERN, "a regular expression with one or two groups");
    }
    specialTokens = options.get(SPECIAL_TOKENS);
    this.lookup = Map.copyOf(lookup);
    onePass = Pattern.compile(onePass(pattern.pattern()), Pattern.DOTALL);
    Matcher group = GROUP.matcher(pattern.pattern());
    int start = 0;
    int end = 0;
    while (group.find()) {
      start = group.start();
      end = group.end();
    }
    before = literal(pattern.pattern().substring(0, start));
    after = literal(pattern.pattern().substring(end));
    for (String name : this.lookup.values()) {
      String response = write(name);
      Action action = search(response);
      if (action != null) {
        written.put(response, action);
        responses.put(name, response);
      }
    }
  }

  /**
   * Returns an equivalent of {@code regex} that needs a single pass. A search restarts at each
   * occurrence of the first literal and scans to the end of the response. If the pattern has only
   * literals and groups of any text, a match fails at later occurrences if it fails at the first.
   */
  private static String onePass(String regex) {
    Matcher parts = LITERALS_AND_ANY_TEXT.matcher(regex);
    if (!parts.matches()) {
      return regex;
    }
    String first = parts.group(2);
    String once = first == null ? "" : first.endsWith("?)") ? "(?>" : "(?:";
    return "\\A(?>.*?"
        + parts.group(1)
        + ")"
        + (first == null ? "" : once + first + parts.group(3) + ")")
        + parts.group(4);
  }

  /** Returns the action in {@code response}, or null if there is no valid one. */
  public @Nullable Action parse(String response) {
    Action known = written.get(response);
    return known == null ? search(response) : known;
  }

  private @Nullable Action search(String response) {
    String text = response;
    for (String token : specialTokens) {
      text = text.replace(token, "");
    }
    String content =
        BoundedSearch.first(onePass, text.strip())
            .map(found -> found.group(found.groupCount()))
            .orElse(null);
    if (content == null) {
      return null;
    }
    String name = content.strip();
    if (lookup.isEmpty()) {
      return new Action(-1, name);
    }
    for (var entry : lookup.entrySet()) {
      if (entry.getValue().equalsIgnoreCase(name)) {
        return new Action(entry.getKey(), entry.getValue());
      }
    }
    return null;
  }

  /**
   * Returns a response in which {@link #parse} finds {@code action}: the bare action if that is
   * found; otherwise the pattern with the action in place of its last group, such as {@code
   * <answer>Up</answer>}; the bare action if the pattern is too complex.
   */
  public String respond(String action) {
    String known = responses.get(action);
    return known == null ? write(action) : known;
  }

  private String write(String action) {
    String whole = before + action + after;
    return !means(action, action) && means(whole, action) ? whole : action;
  }

  private boolean means(String response, String action) {
    Action found = search(response);
    return found != null && found.name().equalsIgnoreCase(action);
  }

  /** Returns the shortest text that a simple regular expression matches. */
  private static String literal(String regex) {
    return GROUP
        .matcher(regex)
        .replaceAll("")
        .replaceAll("\\\\s\\*\\??", "")
        .replaceAll("\\\\s(\\+\\??)?", " ")
        .replaceAll("^\\^|\\$$", "")
        .replaceAll("\\\\(\\W)", "$1");
  }

  /**
   * A valid action.
   *
   * @param number its key in the lookup, −1 without one
   * @param name its name
   */
  public record Action(int number, String name) {}
}
