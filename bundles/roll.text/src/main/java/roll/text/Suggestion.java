package roll.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Finds the nearest right spelling for a wrong name. */
public final class Suggestion {
  private static final int LONGEST = 100;

  private Suggestion() {}

  /**
   * A sentence such as {@code ; did you mean 'grpo'?}, or an empty string where no known name is
   * near (more than a third of the letters would have to change) or {@code wrong} is longer than
   * any name.
   */
  public static String near(String wrong, Collection<String> known) {
    if (wrong.length() > LONGEST) {
      return "";
    }
    String lower = wrong.toLowerCase(Locale.ROOT);
    int limit = Math.max(1, wrong.length() / 3);
    return known.stream()
        .filter(name -> Math.abs(name.length() - wrong.length()) <= limit)
        .filter(name -> distance(lower, name.toLowerCase(Locale.ROOT)) <= limit)
        .min(
            Comparator.comparingInt(
                (String name) -> distance(lower, name.toLowerCase(Locale.ROOT))))
        .map(name -> "; did you mean '" + name + "'?")
        .orElse("");
  }

  /** Letters to add, drop, change or swap with their neighbour (optimal string alignment). */
  private static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        d[i][j] = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + change);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
