package roll.env.click_and_read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.env.click_and_read.site.GeneratedSite;
import roll.env.click_and_read.site.GeneratedSite.Shape;
import roll.env.click_and_read.site.Page;
import roll.env.click_and_read.site.PageElement;
import roll.env.click_and_read.site.PageElement.Kind;
import roll.env.click_and_read.site.Site;
import roll.env.click_and_read.site.SiteQuestion;

class GeneratedSiteTest {
  @ParameterizedTest
  @CsvSource({
    "2, 1, 0",
    "200, 1, 20",
    "3, 2, 2",
    "12, 2, 2",
    "200, 2, 3",
    "4, 3, 1",
    "200, 3, 2",
    "5, 4, 5",
    "40, 4, 2",
    "200, 4, 20"
  })
  void everyShapeIsKeptAndEveryAnswerStandsAtItsDepth(int pages, int depth, int distractors) {
    for (int number = 0; number < 2; number++) {
      Shape shape = new Shape(pages, depth, distractors);
      assertEquals(pages, GeneratedSite.html(shape, number).size());
      Set<String> questions = new HashSet<>();
      List<SiteQuestion> tasks = GeneratedSite.tasks(shape, number, 100_000);
      for (SiteQuestion task : tasks) {
        assertTrue(questions.add(task.question()), task.question());
        assertEquals(depth, task.clicks().get("index.html"), task.question());
        Page place = place(task);
        assertEquals(0, task.clicks().get(place.path()));
        assertTrue(text(place).contains(task.answers().getFirst()), place.text());
      }
      int places = tasks.size() / 6;
      assertEquals(0, tasks.size() % 6);
      int others = Math.min(distractors, places - 1);
      Page place = place(tasks.getFirst());
      // one link for each page above, and one for each distractor
      assertEquals(depth + others, place.clicks().size(), place.text());
      assertEquals(6 + others, text(place).split("(?<!\\d)\\.", -1).length - 1 + endings(place));
    }
  }

  /** Sentences that end with a number. */
  private static int endings(Page place) {
    return text(place).split("\\d\\.", -1).length - 1;
  }

  private static Page place(SiteQuestion task) {
    return task.site()
        .page(
            task.clicks().entrySet().stream()
                .filter(page -> page.getValue() == 0)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow());
  }

  private static String text(Page page) {
    return page.lines().stream()
        .filter(line -> line.kind() == Kind.TEXT)
        .map(PageElement::text)
        .collect(Collectors.joining(" "));
  }

  @Test
  void aSiteIsAFunctionOfShapeAndNumber() {
    Shape shape = new Shape(20, 3, 2);
    assertEquals(GeneratedSite.html(shape, 7), GeneratedSite.html(shape, 7));
    assertNotEquals(GeneratedSite.html(shape, 7), GeneratedSite.html(shape, 8));
  }

  @Test
  void distractorsAreAlikeFirst() {
    Shape shape = new Shape(60, 2, 1);
    for (SiteQuestion task : GeneratedSite.tasks(shape, 0, 8_000)) {
      Page place = place(task);
      String other =
          place.lines().stream()
              .filter(line -> line.kind() == Kind.LINK)
              .reduce((_, last) -> last)
              .orElseThrow()
              .text();
      List<String> own = List.of(place.title().split(" "));
      assertTrue(own.stream().anyMatch(other::contains), () -> place.title() + " and " + other);
    }
  }

  /** Pages are the same, whatever is asked about them. */
  @Test
  void someFactsAloneAreAskedAbout() {
    Shape all = new Shape(20, 2, 1);
    Shape days = new Shape(20, 2, 1, Set.of("closed"));
    assertEquals(GeneratedSite.html(all, 7), GeneratedSite.html(days, 7));
    List<SiteQuestion> tasks = GeneratedSite.tasks(days, 7, 8_000);
    assertEquals(GeneratedSite.tasks(all, 7, 8_000).size(), 6 * tasks.size());
    tasks.forEach(task -> assertTrue(task.question().startsWith("On which day is the ")));
    for (List<String> wrong : List.of(List.<String>of(), List.of("closed", "roof"))) {
      String refused = userError(() -> Sites.scenario(Map.of("asked", wrong)));
      assertTrue(
          refused.contains("expected some of opened, designed, built, visitors, closed, door"),
          refused);
    }
  }

  @Test
  void sessionsShareTheirSite() {
    ClickAndReadScenario scenario = Sites.scenario(Map.of("num_sites", 1));
    Site site = ((ClickAndReadEpisode) scenario.reset(1)).task().site();
    IntStream.range(0, 1_000)
        .forEach(
            seed -> assertSame(site, ((ClickAndReadEpisode) scenario.reset(seed)).task().site()));
  }
}
