package roll.reward.qa;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Compares answers as bags of words like SQuAD (Rajpurkar et al. 2016). */
final class SquadMetrics {
  private static final Set<String> ARTICLES = Set.of("a", "an", "the");

  /** Answers that only match as a whole. */
  private static final Set<String> WORDS = Set.of("yes", "no", "noanswer");

  private SquadMetrics() {}

  /**
   * The match of a response with a known answer, all numbers from 0 to 1.
   *
   * @param f1 harmonic mean of precision and recall
   * @param em 1 for equal texts, otherwise 0
   * @param precision share of the response's words in the answer
   * @param recall share of the answer's words in the response
   */
  record Match(double f1, double em, double precision, double recall) {
    private static final Match ALL = new Match(1, 1, 1, 1);
    private static final Match NONE = new Match(0, 0, 0, 0);
  }

  /** Returns {@code text} in lower case, without ASCII punctuation, articles and extra spaces. */
  static String normal(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    StringBuilder kept = new StringBuilder(lower.length());
    int word = 0; // start of the last word
    for (int i = 0; i < lower.length(); i += Character.charCount(lower.codePointAt(i))) {
      int letter = lower.codePointAt(i);
      if (Character.isLetterOrDigit(letter)) {
        kept.appendCodePoint(letter);
        continue;
      }
      if (letter > ' ' && letter < 127) {
        continue; // ASCII punctuation
      }
      endWord(kept, word);
      if (Character.isWhitespace(letter) || Character.isSpaceChar(letter)) {
        space(kept);
      } else {
        kept.appendCodePoint(letter);
      }
      word = kept.length();
    }
    endWord(kept, word);
    return kept.toString().strip();
  }

  /** Replaces an article by a space. */
  private static void endWord(StringBuilder kept, int word) {
    if (kept.length() - word <= 3 && ARTICLES.contains(kept.substring(word))) {
      kept.setLength(word);
      space(kept);
    }
  }

  private static void space(StringBuilder kept) {
    if (kept.length() > 0 && kept.charAt(kept.length() - 1) != ' ') {
      kept.append(' ');
    }
  }

  /** Returns the match of {@code response} with {@code gold}. */
  static Match match(String gold, String response) {
    String known = normal(gold);
    String given = normal(response);
    if (known.isEmpty()) { // an answer of articles and punctuation: "The The"
      boolean same = !gold.isBlank() && gold.strip().equalsIgnoreCase(response.strip());
      return same ? Match.ALL : Match.NONE;
    }
    if (known.equals(given)) {
      return Match.ALL;
    }
    if (given.isEmpty() || WORDS.contains(known) || WORDS.contains(given)) {
      return Match.NONE;
    }
    return match(Arrays.asList(known.split(" ")), Arrays.asList(given.split(" ")));
  }

  private static Match match(List<String> known, List<String> given) {
    Map<String, Integer> left = new HashMap<>();
    known.forEach(word -> left.merge(word, 1, Integer::sum));
    int common = 0;
    for (String word : given) {
      if (left.merge(word, -1, Integer::sum) >= 0) {
        common++;
      }
    }
    if (common == 0) {
      return Match.NONE;
    }
    double precision = (double) common / given.size();
    double recall = (double) common / known.size();
    return new Match(2 * precision * recall / (precision + recall), 0, precision, recall);
  }
}
