package roll.env.click_and_read;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.env.Step;

/** Pages seen as pictures without a browser, with and without the list. */
class JavaPageRendererTest {
  private static final String QUESTION = "{\"question\": \"What?\", \"answer\": \"Ada Holm\"}";

  @TempDir Path folder;

  private ClickAndReadEpisode visit(Map<String, Object> more) throws IOException {
    Map<String, Object> config = new HashMap<>(Map.of("observation", "picture"));
    config.put("page_renderer", "java");
    config.put("site_path", Sites.town(folder, QUESTION).toString());
    config.putAll(more);
    return Sites.episode(config, 0);
  }

  private static Step act(ClickAndReadEpisode visit, String action) {
    return visit.step("<answer>" + action + "</answer>");
  }

  @Test
  void aLinkOfThePictureIsClicked() throws IOException {
    ClickAndReadEpisode visit = visit(Map.of("window", List.of(400, 300)));
    BufferedImage picture = visit.picture().orElseThrow();
    assertEquals(400, picture.getWidth());
    assertEquals(300, picture.getHeight());
    assertFalse(visit.observation().contains("hall"), visit.observation());
    List<String> clicks = visit.actions().stream().filter(a -> a.startsWith("click")).toList();
    assertEquals(2, clicks.size(), clicks::toString);
    Step hall = act(visit, clicks.getFirst());
    assertTrue(hall.observation().contains("Page: Hall (hall.html)"), hall.observation());
    assertEquals(1, hall.metrics().get("action_is_effective"));
    assertFalse(Arrays.equals(pixels(picture), pixels(visit.picture().orElseThrow())));
    Step beside = act(visit, "click[399,299]");
    assertTrue(beside.observation().contains("there is no link at 399,299."));
    assertEquals(0, beside.metrics().get("action_is_effective"));
  }

  @Test
  void linksAreDrawnInBlueWhereTheyAreClicked() throws IOException {
    ClickAndReadEpisode visit = visit(Map.of());
    BufferedImage picture = visit.picture().orElseThrow();
    String[] place = visit.actions().getFirst().replaceAll("[^0-9,]", "").split(",", -1);
    int x = Integer.parseInt(place[0]);
    int y = Integer.parseInt(place[1]);
    boolean blue = false;
    for (int row = y - 8; row < y + 8; row++) {
      blue |= picture.getRGB(x, row) == PageCanvas.LINK.getRGB();
    }
    assertTrue(blue, "no line below the link");
  }

  @Test
  void longPagesAreScrolled() throws IOException {
    StringBuilder page = new StringBuilder("<h1>Long</h1>");
    for (int i = 0; i < 60; i++) {
      page.append("<p>PageElement ").append(i).append("</p>");
    }
    Sites.town(folder, QUESTION);
    Sites.write(folder.resolve("index.html"), page + "<p><a href='hall.html'>Hall</a></p>");
    ClickAndReadEpisode visit = Sites.episode(config(), 0);
    assertTrue(visit.observation().contains("The window shows rows 0 to 200 of "));
    int[] top = pixels(visit.picture().orElseThrow());
    assertTrue(visit.actions().contains("scroll[down]"));
    act(visit, "scroll[down]");
    assertFalse(Arrays.equals(top, pixels(visit.picture().orElseThrow())));
    assertTrue(visit.observation().contains("rows 180 to 380 of "));
  }

  private Map<String, Object> config() {
    return Map.of(
        "observation",
        "picture",
        "page_renderer",
        "java",
        "window",
        List.of(300, 200),
        "site_path",
        folder.toString());
  }

  @Test
  void bothShowsTheListAndThePicture() throws IOException {
    ClickAndReadEpisode visit = visit(Map.of("observation", "both"));
    String text = visit(Map.of("observation", "text")).observation();
    String both = visit.observation();
    String list = text.substring(0, text.indexOf("\nAvailable"));
    assertTrue(both.startsWith(list), both);
    assertTrue(both.contains("Available actions: click[number], click[x,y], answer[text]"), both);
    assertTrue(visit.picture().isPresent());
    assertTrue(visit(Map.of("observation", "text")).picture().isEmpty());
    String number =
        list.lines().filter(line -> line.endsWith("link: mill")).findFirst().orElseThrow();
    Step mill = act(visit, "click" + number.substring(0, number.indexOf(' ')));
    assertTrue(mill.observation().contains("(mill/index.html)"), mill.observation());
    act(visit, "back");
    String point = visit.actions().getFirst();
    assertTrue(act(visit, point).observation().contains("(hall.html)"), point);
  }

  @Test
  void equalPagesHaveEqualPixels() throws IOException {
    int[] one = pixels(visit(Map.of()).picture().orElseThrow());
    assertArrayEquals(one, pixels(visit(Map.of()).picture().orElseThrow()));
    assertNotEquals(
        Arrays.hashCode(one),
        Arrays.hashCode(pixels(visit(Map.of("marks", true)).picture().orElseThrow())));
  }

  @Test
  void theAgentTypeGuiPlaysOnTheScreen() throws IOException {
    ClickAndReadEpisode visit =
        visit(Map.of("action_format", "ui_tars", "action_pattern", "Action:\\s*(.*)"));
    assertTrue(
        visit
            .observation()
            .endsWith("Available actions: click(start_box='(x,y)'), finished(content='text')"),
        visit.observation());
    String first = visit.respond(visit.expert().orElseThrow());
    assertTrue(first.matches("Action:click\\(start_box='\\(\\d+,\\d+\\)'\\)"), first);
    Step hall = visit.step("Thought: the hall.\n" + first + "<|im_end|>");
    assertTrue(hall.observation().contains("Page: Hall (hall.html)"), hall.observation());
    assertTrue(hall.observation().contains("hotkey(key='alt left')"), hall.observation());
    Step right = visit.step(visit.respond(visit.expert().orElseThrow()));
    assertEquals(1, right.metrics().get("success"));
    assertTrue(right.terminated());
  }

  @Test
  void contradictionsAreRefusedInOneLine() {
    assertEquals(
        "env_config.observation: expected text where observation_mode is text, found 'both'",
        complaint(Map.of("observation", "both", "observation_mode", "text")));
    assertEquals(
        "env_config.marks: expected false if observation is both: numbers refer to the list,"
            + " found 'true'",
        complaint(Map.of("observation", "both", "page_renderer", "java", "marks", true)));
    assertEquals(
        "env_config.page_renderer: expected chromium if browser is set, found 'java'",
        complaint(Map.of("observation", "picture", "page_renderer", "java", "browser", "chrome")));
  }

  @Test
  void screensHaveNoNumberedLists() {
    assertEquals(
        "env_config.action_format: expected brackets unless observation is picture: lists are"
            + " numbered, found 'ui_tars'",
        complaint(Map.of("action_format", "ui_tars")));
  }

  private static String complaint(Map<String, Object> config) {
    return userError(() -> Sites.scenario(config));
  }

  private static int[] pixels(BufferedImage image) {
    return image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
  }
}
