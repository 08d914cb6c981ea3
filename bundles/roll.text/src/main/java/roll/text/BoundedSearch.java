package roll.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Searches for untrusted regular expressions, which may backtrack exponentially. A search that
 * exceeds a maximum number of character reads finds nothing. Unlike a time limit, the number of
 * reads is deterministic.
 */
public final class BoundedSearch {
  private static final int READS_PER_CHARACTER = 100;
  private static final int READS = 10_000_000;

  private BoundedSearch() {}

  /** Returns whether {@code pattern} is found in {@code text}. */
  public static boolean finds(Pattern pattern, String text) {
    return first(pattern, text).isPresent();
  }

  /** Returns the first match of {@code pattern}. */
  public static Optional<MatchResult> first(Pattern pattern, String text) {
    return found(pattern, text, 1).stream().findFirst();
  }

  /** Returns all matches of {@code pattern}, in order. */
  public static List<MatchResult> all(Pattern pattern, String text) {
    return found(pattern, text, Integer.MAX_VALUE);
  }

  /** Returns whether {@code pattern} matches all of {@code text}. */
  public static boolean matches(Pattern pattern, String text) {
    try {
      return pattern.matcher(new Counted(text)).matches();
    } catch (Exhausted | StackOverflowError e) {
      return false;
    }
  }

  private static List<MatchResult> found(Pattern pattern, String text, int most) {
    List<MatchResult> found = new ArrayList<>();
    try {
      Matcher matcher = pattern.matcher(new Counted(text));
      while (found.size() < most && matcher.find()) {
        found.add(matcher.toMatchResult());
      }
    } catch (Exhausted
        | StackOverflowError e) { // alternatives in a repetition recurse for each character
      return found;
    }
    return found;
  }

  /** Thrown when the maximum number of reads is exceeded. */
  private static final class Exhausted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Exhausted() {
      super("read too often", null, false, false);
    }
  }

  /** A text that counts its reads. */
  private static final class Counted implements CharSequence {
    private final String text;
    private long left;

    Counted(String text) {
      this.text = text;
      left = READS + (long) READS_PER_CHARACTER * text.length();
    }

    @Override
    public char charAt(int index) {
      if (--left < 0) {
        throw new Exhausted();
      }
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
