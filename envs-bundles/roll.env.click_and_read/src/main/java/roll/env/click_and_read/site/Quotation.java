package roll.env.click_and_read.site;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import roll.env.click_and_read.site.Line.Kind;

/** The sentence of a page that a reader quotes for an answer. */
public final class Quotation {
  private static final Pattern BETWEEN = Pattern.compile("(?<=[.!?])\\s+");

  private Quotation() {}

  /**
   * The sentence in which {@code answer} stands; of several the one that has most in common with
   * {@code question} (F1 of their words), and of those alike the first. Empty where the answer
   * stands in no text of the page.
   */
  public static Optional<String> of(Page page, String question, String answer) {
    return page.lines().stream()
        .filter(line -> line.kind() == Kind.TEXT)
        .flatMap(line -> Stream.of(BETWEEN.split(line.text(), -1)))
        .filter(sentence -> AnswerMatch.within(answer, sentence))
        .map(sentence -> new Scored(sentence, AnswerMatch.overlap(sentence, List.of(question))))
        .min(Comparator.comparingDouble(Scored::distance))
        .map(Scored::sentence);
  }

  /** A sentence and how much it has in common with the question, 0 to 1. */
  private record Scored(String sentence, double overlap) {
    double distance() {
      return 1 - overlap;
    }
  }
}
