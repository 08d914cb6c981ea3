package roll.huggingface;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/**
 * A split pattern of a {@code tokenizer.json}, with its limits. The native library aborts the
 * process after ten million backtracking steps at one position, and cannot be interrupted, so texts
 * are checked first.
 */
final class SplitPattern {
  /** Maximum backtracking steps at one position, below the library's limit. */
  private static final double MOST = 8e6;

  /** Maximum total steps for the long runs of a text, about half a minute. */
  private static final double TOGETHER = 1e10;

  /** Minimum run length that every pattern must support. */
  private static final int LEAST = 256;

  private static final int LARGEST = 1 << 20;

  /** Runs below this length are ignored. */
  private static final int SHORT = 64;

  /** GPT-2's split pattern, which its pre-tokenizer uses implicitly. */
  static final String GPT2 =
      "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

  private static final String QWEN2 =
      "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}"
          + "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
  private static final String LLAMA3 = QWEN2.replace("|\\p{N}|", "|\\p{N}{1,3}|");
  private static final String O200K =
      "[^\\r"
          + "\\n"
          + "\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+"
          + "(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\\r"
          + "\\n"
          + "\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*"
          + "(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r"
          + "\\n"
          + "/]*|\\s*[\\r"
          + "\\n"
          + "]+|\\s+(?!\\S)|\\s+";

  /** Common split patterns that try a run of characters once, not at each character. */
  private static final Set<String> ONCE = Set.of(GPT2, QWEN2, LLAMA3, O200K);

  /** Pattern of a case-insensitive flag in a regular expression. */
  private static final Pattern FLAGS = Pattern.compile("\\(\\?[mx-]{0,4}i");

  private final String text;
  private final RegexNode node;
  private final boolean once;
  private final Map<String, Pattern> runs = new LinkedHashMap<>();
  private final int borne;

  private SplitPattern(String text) {
    this.text = text;
    node = RegexReader.read(text);
    once = ONCE.contains(text);
    node.repeated(characters -> addRuns(String.valueOf(characters)));
    int length = LARGEST;
    while (length > 0 && !bears(length)) {
      length /= 2;
    }
    borne = length;
  }

  /**
   * Reads the split pattern {@code text} of a tokenizer.json.
   *
   * @param where file and key
   * @throws UserException if it has no bound
   */
  static SplitPattern read(String where, String text) {
    try {
      SplitPattern pattern = new SplitPattern(text);
      if (pattern.borne < LEAST) {
        throw new IllegalArgumentException("it can go back over a text without bound");
      }
      return pattern;
    } catch (IllegalArgumentException e) {
      String shown = text.length() <= 80 ? text : text.substring(0, 80) + "...";
      throw new UserException(
          "%s: pattern '%s' cannot be used: %s"
              .formatted(where, shown.replaceAll("\\p{Cntrl}", "?"), e.getMessage()),
          e);
    }
  }

  private void addRuns(String characters) {
    if (characters.isEmpty() || characters.equals("null")) {
      runs.put("", Pattern.compile("[\\s\\S]+"));
      return;
    }
    String run = "[" + characters + "]+";
    runs.put(run, Pattern.compile(run, Pattern.UNICODE_CHARACTER_CLASS));
    if (FLAGS.matcher(text).find()) {
      int flags = Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.UNICODE_CHARACTER_CLASS;
      runs.put("(?i)" + run, Pattern.compile(run, flags));
    }
  }

  /** Returns whether a run of {@code length} characters in one repetition is allowed. */
  private boolean bears(double length) {
    return node.effort(length, false).steps() <= MOST && (once || again(length) <= TOGETHER);
  }

  /** Returns the steps for such a run if it is tried at each of its characters. */
  private double again(double length) {
    return length * (node.effort(length, false).steps() - node.effort(1, false).steps());
  }

  /**
   * Returns why {@code read} is refused, or null.
   *
   * @param changed whether the text is normalized before it is split, so that its runs are unknown
   */
  @Nullable String refusal(String read, boolean changed) {
    if (read.length() <= borne) {
      return null;
    }
    if (changed) {
      return "%,d characters; at most %,d are allowed".formatted(read.length(), borne);
    }
    double together = 0;
    for (Pattern run : runs.values()) {
      Matcher found = run.matcher(read);
      while (found.find()) {
        int length = found.end() - found.start();
        if (length > borne) {
          return "%,d consecutive characters of one kind, from character %,d on; at most %,d are allowed"
              .formatted(length, found.start(), borne);
        }
        together += length <= SHORT || once ? 0 : again(length);
      }
    }
    return together <= TOGETHER
        ? null
        : "many long stretches of characters of one kind in %,d characters"
            .formatted(read.length());
  }
}
