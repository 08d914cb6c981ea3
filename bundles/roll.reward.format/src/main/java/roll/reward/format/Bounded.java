package roll.reward.format;

import java.util.regex.Pattern;

/**
 * A text that may be read so often and no more. Expressions with nested repetitions take ages on
 * the wrong text; time would not end them at the same place twice, the number of reads does.
 */
final class Bounded implements CharSequence {
  private static final int READS_PER_CHARACTER = 100;
  private static final int READS = 10_000_000;

  private final CharSequence text;
  private final long[] left;

  /** It has been read too often. */
  private static final class Exhausted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Exhausted() {
      super("read too often", null, false, false);
    }
  }

  private Bounded(CharSequence text, long[] left) {
    this.text = text;
    this.left = left;
  }

  /** Whether {@code pattern} is found in {@code text} without looking for it all too long. */
  static boolean finds(Pattern pattern, String text) {
    long most = READS + (long) READS_PER_CHARACTER * text.length();
    try {
      return pattern.matcher(new Bounded(text, new long[] {most})).find();
    } catch (Exhausted | StackOverflowError e) { // alternatives under a star nest for each letter
      return false;
    }
  }

  @Override
  public char charAt(int index) {
    if (--left[0] < 0) {
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
    return new Bounded(text.subSequence(start, end), left);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
