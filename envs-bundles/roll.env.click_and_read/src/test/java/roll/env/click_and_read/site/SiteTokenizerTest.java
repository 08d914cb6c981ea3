package roll.env.click_and_read.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.env.click_and_read.site.GeneratedSite.Shape;
import roll.testkit.PhraseTokenizer;

/** The words of the model of {@code configs/click_and_read.yaml} are those of generated sites. */
class SiteTokenizerTest {
  private final PhraseTokenizer tokenizer = SiteTokenizer.create();

  @Test
  void theFileIsWhatIsMadeHere() throws IOException {
    tokenizer.assertShipped("click-and-read-words");
  }

  @Test
  void whatIsAlwaysSaidTogetherIsAWord() {
    assertEquals(
        List.of("question:", "in which year was the", "alder", "mill", "opened"),
        tokenizer.words("Question: In which year was the Alder Mill opened?"));
    assertEquals(
        List.of("page:", "libraries", "1", "guide to the region", "2", "heading:", "libraries"),
        tokenizer.words(
            "Page: Libraries (libraries/index.html)\n"
                + "[1] link: Guide to the region\n[2] heading: Libraries"));
    assertEquals(
        List.of("page:", "alder", "mill", "4", "text:", "the", "alder", "mill", "has"),
        tokenizer.words("Page: Alder Mill (mills/alder-mill.html)\n[4] text: The Alder Mill has"));
    assertEquals(
        List.of("9", "20", "0", "visitors a year", "12", "30", "0", "visitors a year"),
        tokenizer.words("9,200 visitors a year. 12,300 visitors a year."));
    assertEquals(List.of("click[", "3", "]"), tokenizer.words("click[3]"));
    assertEquals(List.of("answer[", "ada", "holm", "]"), tokenizer.words("answer[Ada Holm]"));
  }

  @ParameterizedTest
  @CsvSource({"10, 2, 1", "12, 1, 2", "40, 3, 2", "60, 4, 20"})
  void everythingThatASiteSaysIsKnown(int pages, int depth, int distractors) {
    Set<String> unknown = new TreeSet<>();
    for (int number = 0; number < 3; number++) {
      List<SiteQuestion> tasks =
          GeneratedSite.tasks(new Shape(pages, depth, distractors), number, 8_000);
      for (SiteQuestion task : tasks) {
        unknown(task.question(), unknown);
        unknown("answer[" + task.answers().getFirst() + "]", unknown);
      }
      SiteQuestion first = tasks.getFirst();
      first.clicks().keySet().forEach(path -> unknown(first.site().page(path).text(), unknown));
    }
    assertTrue(unknown.isEmpty(), () -> "unknown: " + unknown);
  }

  private void unknown(String text, Set<String> unknown) {
    tokenizer.words(text).stream().filter(word -> !tokenizer.knows(word)).forEach(unknown::add);
  }
}
