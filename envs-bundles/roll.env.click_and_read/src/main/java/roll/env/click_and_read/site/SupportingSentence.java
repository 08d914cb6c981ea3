package roll.env.click_and_read.site;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import roll.env.click_and_read.site.PageElement.Kind;

/** Finds the sentence of a page that supports an answer. */
public final class SupportingSentence {
  private static final Pattern BETWEEN = Pattern.compile("(?<=[.!?])\\s+");

  private SupportingSentence() {}

  /**
   * Returns the sentence that contains {@code answer}; of several, the first of those most similar
   * to {@code question} (F1 of their words). Empty if no text of the page contains the answer.
   */
  public static Optional<String> of(Page page, String question, String answer) {
    return page.lines().stream()
        .filter(line -> line.kind() == Kind.TEXT)
        .flatMap(line -> Stream.of(BETWEEN.split(line.text(), -1)))
        .filter(sentence -> AnswerMatch.within(answer, sentence))
        .map(sentence -> new Scored(sentence, AnswerMatch.overlap(sentence, List.of(question))))
        .max(Comparator.comparingDouble(Scored::overlap))
        .map(Scored::sentence);
  }

  /** A sentence and its similarity to the question, 0 to 1. */
  private record Scored(String sentence, double overlap) {}
}
