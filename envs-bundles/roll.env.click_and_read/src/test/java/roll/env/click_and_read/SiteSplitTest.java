package roll.env.click_and_read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.env.EpisodeStart;
import roll.env.click_and_read.site.SiteQuestion;

/** The sites and subjects that are reserved for validation. */
class SiteSplitTest {
  private static final int SEEDS = 1_500;

  /** Sites so few that without a split each is met by both. */
  private static final Map<String, Object> FEW = Map.of("num_sites", 40, "num_pages", 10);

  private static final Map<String, Object> SPLIT =
      Map.of("num_sites", 40, "num_pages", 10, "val_share", 0.2);

  @Test
  void validationHasSubjectsQuestionsAndPagesOfItsOwn() {
    ClickAndReadScenario scenario = Sites.scenario(SPLIT);
    disjoint(scenario, SiteQuestion::subject);
    disjoint(scenario, SiteQuestion::question);
    disjoint(scenario, SiteSplitTest::page);
    disjoint(scenario, SiteQuestion::site);
    assertEquals(
        told(scenario, SiteQuestion::question, "train"),
        told(scenario, SiteQuestion::question, "greedy"));
  }

  private static void disjoint(ClickAndReadScenario scenario, Function<SiteQuestion, ?> what) {
    Set<?> trained = told(scenario, what, "train");
    Set<?> validated = told(scenario, what, "val");
    assertTrue(trained.size() > 20 && validated.size() > 20, () -> trained + "; " + validated);
    assertTrue(Collections.disjoint(trained, validated));
  }

  @Test
  void withoutAShareASeedIsTheSameTaskForBoth() {
    ClickAndReadScenario scenario = Sites.scenario(FEW);
    assertEquals(
        told(scenario, SiteQuestion::question, "train"),
        told(scenario, SiteQuestion::question, "val"));
    assertEquals(
        told(scenario, SiteSplitTest::page, "train"), told(scenario, SiteSplitTest::page, "val"));
  }

  @Test
  void aSeedAloneIsATaskOfTheFirstSites() {
    ClickAndReadScenario any = Sites.scenario(FEW);
    ClickAndReadScenario split = Sites.scenario(SPLIT);
    for (long seed = 0; seed < 20; seed++) {
      assertEquals(any.reset(seed).observation(), split.reset(seed).observation());
    }
  }

  @Test
  void questionsOfAFileAreSplitByThemselves(@TempDir Path folder) throws IOException {
    String[] lines =
        LongStream.range(0, 30)
            .mapToObj("{\"question\": \"Is it %d?\", \"answer\": \"Ada Holm\"}"::formatted)
            .toArray(String[]::new);
    String site = Sites.town(folder, lines).toString();
    ClickAndReadScenario scenario = Sites.scenario(Map.of("site_path", site, "val_share", 0.3));
    Set<Object> trained = told(scenario, SiteQuestion::question, "train");
    Set<Object> validated = told(scenario, SiteQuestion::question, "val");
    assertTrue(Collections.disjoint(trained, validated));
    assertEquals(30, trained.size() + validated.size());
  }

  @Test
  void oneQuestionCannotBeSplit(@TempDir Path folder) throws IOException {
    String site =
        Sites.town(folder, "{\"question\": \"Who opened it?\", \"answer\": \"Ada Holm\"}")
            .toString();
    ClickAndReadScenario scenario = Sites.scenario(Map.of("site_path", site, "val_share", 0.3));
    String refused =
        userError(
            () -> {
              task(scenario, "val", 0);
              task(scenario, "train", 0);
            });
    assertTrue(refused.startsWith("env_config.val_share: expected a share that leaves"), refused);
  }

  /** Whether observations end with what can be done. */
  @Test
  void actionsNeedNotBeListed() {
    String with = Sites.episode(FEW, 3).observation();
    String without =
        Sites.episode(Map.of("num_sites", 40, "num_pages", 10, "list_actions", false), 3)
            .observation();
    assertEquals(with, without + "\nAvailable actions: click[number], answer[text]");
  }

  /** The expert and the list of actions name links as the instruction does. */
  @Test
  void linksCanBeNamedByTheirWords() {
    ClickAndReadEpisode episode =
        Sites.episode(Map.of("num_pages", 10, "depth", 1, "click_by", "words"), 5);
    String place = episode.task().subject();
    assertEquals("click[" + place + "]", episode.expert().orElseThrow());
    assertTrue(episode.actions().contains("click[" + place + "]"), episode.actions()::toString);
    assertTrue(
        episode.observation().endsWith("\nAvailable actions: click[words], answer[text]"),
        episode.observation());
    assertEquals(9, episode.pageActions().size());
    episode.step("<answer>click[" + place + "]</answer>");
    assertEquals(place, episode.page().title());
  }

  private static Set<Object> told(
      ClickAndReadScenario scenario, Function<SiteQuestion, ?> what, String purpose) {
    Set<Object> found = new HashSet<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      found.add(what.apply(task(scenario, purpose, seed)));
    }
    return found;
  }

  private static SiteQuestion task(ClickAndReadScenario scenario, String purpose, long seed) {
    return ((ClickAndReadEpisode) scenario.reset(new EpisodeStart(purpose, 1, seed, 0, 1, 0)))
        .task();
  }

  /** The HTML of the page on which the answer stands. */
  private static String page(SiteQuestion task) {
    String path =
        task.clicks().entrySet().stream()
            .filter(page -> page.getValue() == 0)
            .map(Map.Entry::getKey)
            .findFirst()
            .orElseThrow();
    return new String(task.site().content().at(path).orElseThrow(), StandardCharsets.UTF_8);
  }
}
