package roll.env.click_and_read.site;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Compares answers as SQuAD does (Rajpurkar et al. 2016): in lower case, without punctuation and
 * articles; the overlap of words is their F1.
 */
public final class AnswerMatch {
  private static final Pattern MARKS = Pattern.compile("[\\p{P}\\p{S}]");
  private static final Pattern ARTICLES = Pattern.compile("\\b(a|an|the)\\b");
  private static final Pattern SPACE = Pattern.compile("[\\s\u00A0]+");

  private AnswerMatch() {}

  /** Returns {@code text} in normal form; may be empty. */
  static String normalised(String text) {
    String plain = Normalizer.normalize(text, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
    String words = ARTICLES.matcher(MARKS.matcher(plain).replaceAll("")).replaceAll(" ");
    return SPACE.matcher(words).replaceAll(" ").strip();
  }

  /** Returns whether {@code text} contains the words of {@code answer} in sequence. */
  static boolean within(String answer, String text) {
    return (" " + normalised(text) + " ").contains(" " + normalised(answer) + " ");
  }

  /**
   * Returns the best F1 of the words of {@code given} and one of {@code right}, 0 to 1; 1 exactly
   * if the words are the same.
   */
  public static double overlap(String given, List<String> right) {
    List<String> words = words(given);
    return right.stream().mapToDouble(answer -> f1(words, words(answer))).max().orElse(0);
  }

  private static List<String> words(String text) {
    String plain = normalised(text);
    return plain.isEmpty() ? List.of() : List.of(plain.split(" ", -1));
  }

  private static double f1(List<String> given, List<String> right) {
    List<String> rest = new ArrayList<>(right);
    long common = given.stream().filter(rest::remove).count();
    return common == 0 ? 0 : 2.0 * common / (given.size() + right.size());
  }
}
