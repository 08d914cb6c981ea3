package roll.api.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Finds the nearest right spelling for a wrong name. */
public final class Suggestion {
  private Suggestion() {}

  /**
   * A sentence such as {@code ; did you mean 'grpo'?}, or an empty string where no known name is
   * near (more than a third of the letters would have to change).
   */
  public static String near(String wrong, Collection<String> known) {
    String lower = wrong.toLowerCase(Locale.ROOT);
    int limit = Math.max(1, wrong.length() / 3);
    return known.stream()
        .filter(name -> distance(lower, name.toLowerCase(Locale.ROOT)) <= limit)
        .min(
            Comparator.comparingInt(
                (String name) -> distance(lower, name.toLowerCase(Locale.ROOT))))
        .map(name -> "; did you mean '" + name + "'?")
        .orElse("");
  }

  /** Levenshtein distance, two rows. */
  private static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    int[] current = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        current[j] = Math.min(Math.min(current[j - 1], previous[j]) + 1, previous[j - 1] + change);
      }
      int[] swap = previous;
      previous = current;
      current = swap;
    }
    return previous[b.length()];
  }
}
