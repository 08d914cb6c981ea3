package roll.env.click_and_read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.env.Step;
import roll.testkit.TestOptions;

/** Visits to the small town of {@link Sites}. */
class EpisodeTest {
  private static final String CELLAR =
      "{\"question\": \"What colour is the cellar?\", \"answer\": [\"dark blue\", \"navy\"]}";

  @TempDir Path folder;

  private ClickAndReadEpisode visit(String question, Map<String, Object> more) throws IOException {
    Map<String, Object> config = new HashMap<>(more);
    config.put("site_path", Sites.town(folder, question).toString());
    return Sites.episode(config, 0);
  }

  private static Step act(ClickAndReadEpisode episode, String action) {
    return episode.step("<answer>" + action + "</answer>");
  }

  @Test
  void pagesAreFollowedAndLeft() throws IOException {
    ClickAndReadEpisode visit = visit(CELLAR, Map.of());
    assertEquals(
        """
        Question: What colour is the cellar?
        Page: Town (index.html)
        [1] heading: Our town
        [2] text: There is a hall here and a mill.
        [3] link: hall
        [4] link: mill
        Available actions: click[number], answer[text]\
        """,
        visit.observation());
    Step step = act(visit, "CLICK[ Hall ]");
    assertEquals(
        """
        Question: What colour is the cellar?
        Page: Hall (hall.html)
        [1] text: Ada Holm opened the hall.
        [2] link: Cellar
        [3] link: Town
        Available actions: click[number], back, answer[text]\
        """,
        step.observation());
    assertEquals(List.of("click[2]", "click[3]", "back", "answer[Ada Holm]"), visit.actions());
    assertEquals(1, step.metrics().get("action_is_effective"));
    assertTrue(act(visit, "back").observation().contains("Page: Town"));
    assertTrue(act(visit, "click[4]").observation().contains("Page: Mill"));
    assertTrue(act(visit, "click[2]").observation().contains("Page: Town"));
  }

  @Test
  void theExpertTakesAShortestWay() throws IOException {
    ClickAndReadEpisode visit = visit(CELLAR, Map.of());
    assertEquals(Optional.of("click[3]"), visit.expert());
    act(visit, "click[4]");
    assertEquals(Optional.of("click[2]"), visit.expert());
    act(visit, "click[2]");
    act(visit, "click[3]");
    // two actions are left: one click and the answer
    assertEquals(Optional.of("click[2]"), visit.expert());
    act(visit, "click[1]");
    // only one is left
    assertEquals(Optional.of("answer[dark blue]"), visit.expert());
    assertEquals(0.5, act(visit, "answer[dark blue]").reward(), 1e-12);
    assertEquals(Optional.empty(), visit.expert());
  }

  @ParameterizedTest
  @CsvSource({
    // the seed's scores: 0.9 for one action, 0.8 for a click and the answer, 0.6 for a slow way
    "0, dark blue, 0.9",
    "1, navy, 0.8",
    "2, The Dark Blue., 0.7",
    "3, dark blue, 0.6",
    "4, dark blue, 0.5",
    // half of the words, F1 1/2
    "1, dark red, 0.4",
    "1, green, 0"
  })
  void rewardsFallWithEachAction(int clicks, String answer, double reward) throws IOException {
    ClickAndReadEpisode visit = visit(CELLAR, Map.of());
    for (int i = 0; i < clicks; i++) {
      assertEquals(0, act(visit, i % 2 == 0 ? "click[3]" : "back").reward());
    }
    Step end = act(visit, "answer[" + answer + "]");
    assertTrue(end.terminated());
    assertEquals(reward, end.reward(), 1e-12);
    assertEquals(reward == 0 || answer.endsWith("red") ? 0 : 1, end.metrics().get("success"));
    assertThrows(IllegalStateException.class, () -> act(visit, "back"));
  }

  @Test
  void costAndPartialCreditAreOptions() throws IOException {
    Map<String, Object> config = Map.of("partial_credit", false, "action_cost", 0.6);
    assertEquals(0, act(visit(CELLAR, config), "answer[dark red]").reward());
    ClickAndReadEpisode visit = visit(CELLAR, config);
    act(visit, "click[3]");
    // 1 − 2 · 0.6 is less than nothing
    assertEquals(0, act(visit, "answer[navy]").reward());
  }

  @Test
  void withoutAnAnswerTheEpisodeIsCut() throws IOException {
    ClickAndReadEpisode visit = visit(CELLAR, Map.of("max_steps", 3, "format_penalty", -0.05));
    assertEquals(-0.05, visit.step("hm").reward());
    Step mute = act(visit, "search[colour]");
    assertEquals(0, mute.reward());
    assertEquals(0, mute.metrics().get("action_is_valid"));
    assertTrue(mute.observation().contains("\nNotice: the response has no action of the kind"));
    Step last = act(visit, "click[3]");
    assertTrue(last.truncated() && !last.terminated());
    assertEquals(0, last.metrics().get("answered"));
    assertEquals(List.of(), visit.actions());
  }

  @ParameterizedTest
  @CsvSource({
    "click[1], [1] is no link.",
    "click[9], there is no [9] on this page.",
    "click[Moon], there is no [Moon] on this page.",
    "back, there is no page to go back to."
  })
  void whatCannotBeDoneIsAnsweredWithANotice(String action, String notice) throws IOException {
    ClickAndReadEpisode visit = visit(CELLAR, Map.of());
    String before = visit.observation();
    Step step = act(visit, action);
    assertTrue(step.observation().contains("\nNotice: " + notice + "\n"), step.observation());
    assertEquals(0, step.metrics().get("action_is_valid"));
    assertEquals(0, step.metrics().get("action_is_effective"));
    assertFalse(before.contains("Notice"));
    assertFalse(act(visit, "click[3]").observation().contains("Notice"));
  }

  @Test
  void linksOutOfTheSiteAreRefused() throws IOException {
    Sites.town(folder, CELLAR);
    Sites.write(
        folder.resolve("index.html"),
        "<a href='../secret.html'>up</a> <a href='file:///etc/passwd'>file</a>"
            + " <a href='http://example.org/'>web</a> <a href='hall.html'>hall</a>");
    Sites.write(folder.resolveSibling("secret.html"), "<p>secret</p>");
    ClickAndReadEpisode visit = Sites.episode(Map.of("site_path", folder.toString()), 0);
    assertTrue(visit.observation().contains("[1] outside link, not clickable: up"));
    assertEquals(List.of("click[4]"), visit.actions());
    for (String label : List.of("1", "2", "3", "web")) {
      Step step = act(visit, "click[" + label + "]");
      assertTrue(step.observation().contains("leads out of this site"), step.observation());
      assertTrue(step.observation().contains("(index.html)"));
      assertEquals(0, step.metrics().get("action_is_valid"));
    }
  }

  @Test
  void whatNeedsABrowserOrFilesIsNotPlayedAgainForOthers() {
    assertTrue(safe(Map.of()));
    assertTrue(safe(Map.of("observation", "picture", "page_renderer", "java")));
    assertTrue(safe(Map.of("browser", "/any/program")), "nothing is drawn with it");
    assertFalse(safe(Map.of("observation", "picture")));
    assertFalse(safe(Map.of("observation_mode", "picture", "browser", "/any/program")));
    assertFalse(safe(Map.of("site_path", "/any/folder")));
    assertFalse(safe(Map.of("questions_file", "/any/file")));
  }

  private static boolean safe(Map<String, Object> config) {
    ClickAndReadEnvironment environment = new ClickAndReadEnvironment();
    return environment.safeToReplay(TestOptions.of("env_config", config, environment.options()));
  }
}
