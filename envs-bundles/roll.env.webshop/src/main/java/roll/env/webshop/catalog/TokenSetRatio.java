package roll.env.webshop.catalog;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * The similarity of two texts as sets of words, 0 to 100: {@code token_set_ratio} of thefuzz. The
 * common words, and these with the rest of either text, are compared pairwise; the best ratio
 * counts.
 */
public final class TokenSetRatio {
  private TokenSetRatio() {}

  /** Returns the rounded ratio; 0 if either text has no word, 100 if one contains the other. */
  public static int of(String a, String b) {
    Set<String> left = words(a);
    Set<String> right = words(b);
    if (left.isEmpty() || right.isEmpty()) {
      return 0;
    }
    Set<String> both = new TreeSet<>(left);
    both.retainAll(right);
    left.removeAll(both);
    right.removeAll(both);
    if (!both.isEmpty() && (left.isEmpty() || right.isEmpty())) {
      return 100;
    }
    String common = String.join(" ", both);
    String first = (common + " " + String.join(" ", left)).strip();
    String second = (common + " " + String.join(" ", right)).strip();
    int best = ratio(first, second);
    return common.isEmpty()
        ? best
        : Math.max(best, Math.max(ratio(common, first), ratio(common, second)));
  }

  /** Returns the words: letters and digits in lower case, separated by anything else. */
  private static Set<String> words(String text) {
    Set<String> words = new TreeSet<>();
    for (String word : text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}_]+", -1)) {
      if (!word.isEmpty()) {
        words.add(word);
      }
    }
    return words;
  }

  /**
   * Returns twice the longest common subsequence over the sum of the lengths, in percent, rounded.
   */
  private static int ratio(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int i = 0; i < a.length(); i++) {
      int diagonal = 0;
      for (int j = 0; j < b.length(); j++) {
        int above = row[j + 1];
        row[j + 1] = a.charAt(i) == b.charAt(j) ? diagonal + 1 : Math.max(above, row[j]);
        diagonal = above;
      }
    }
    return (int) Math.rint(200.0 * row[b.length()] / (a.length() + b.length()));
  }
}
