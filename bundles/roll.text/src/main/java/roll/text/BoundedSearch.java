package roll.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Looks for expressions that somebody else wrote. With nested repetitions these take ages on the
 * wrong text; here a text may be read so often and no more, and then nothing is found. Time would
 * not end a search at the same place twice, the number of reads does.
 */
public final class BoundedSearch {
  private static final int READS_PER_CHARACTER = 100;
  private static final int READS = 10_000_000;

  private BoundedSearch() {}

  /** Whether {@code pattern} is found in {@code text}. */
  public static boolean finds(Pattern pattern, String text) {
    return first(pattern, text).isPresent();
  }

  /** Where {@code pattern} is found first. */
  public static Optional<MatchResult> first(Pattern pattern, String text) {
    return found(pattern, text, 1).stream().findFirst();
  }

  /** Where {@code pattern} is found, one place behind the other. */
  public static List<MatchResult> all(Pattern pattern, String text) {
    return found(pattern, text, Integer.MAX_VALUE);
  }

  /** Whether all of {@code text} is what {@code pattern} says. */
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
    } catch (Exhausted | StackOverflowError e) { // alternatives under a star nest for each letter
      return found;
    }
    return found;
  }

  /** It has been read too often. */
  private static final class Exhausted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Exhausted() {
      super("read too often", null, false, false);
    }
  }

  /** A text that counts how often it is read. */
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
