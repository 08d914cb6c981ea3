package roll.env.click_and_read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import roll.api.env.Step;
import roll.api.option.Options;
import roll.browser.Chromium;
import roll.testkit.TestOptions;

/** Pages in the real browser. */
@Tag("processes")
@Timeout(120)
@EnabledIf(
    value = "installed",
    disabledReason = "no Chromium on the PATH: picture mode is not tested")
class BrowserTest {
  @AutoClose
  private static final ClickAndReadEnvironment ENVIRONMENT = new ClickAndReadEnvironment();

  static final String QUESTION = "{\"question\": \"What?\", \"answer\": \"Ada Holm\"}";

  @TempDir Path folder;

  static boolean installed() {
    return Chromium.installed(System.getenv("PATH")).isPresent();
  }

  private PictureEpisode visit(Map<String, Object> more) {
    Map<String, Object> config = new HashMap<>(more);
    config.put("observation_mode", "picture");
    config.put("site_path", folder.toString());
    Options options = TestOptions.of("env_config", config, ENVIRONMENT.options());
    return (PictureEpisode) ENVIRONMENT.configure(options).reset(0);
  }

  private static Step act(PictureEpisode visit, String action) {
    return visit.step("<answer>" + action + "</answer>");
  }

  /** A page with boxes at known places: red leads to the hall, blue out, green is covered. */
  private void boxes() throws IOException {
    Sites.town(folder, QUESTION);
    Sites.write(
        folder.resolve("index.html"),
        """
        <style>
        body { margin: 0 } a, div { position: absolute; width: 100px; height: 50px; left: 40px }
        </style>
        <a style="top: 20px; background: #f00" href="hall.html"></a>
        <a style="top: 100px; background: #00f" href="http://example.org/">Out</a>
        <a style="top: 200px; background: #0f0" href="mill/">Mill</a>
        <div style="top: 200px; background: #000"></div>
        <a style="top: 1500px; background: #f0f" href="mill/">Far</a>
        """);
  }

  @Test
  void thePictureIsThePageAndAPointOfItIsClicked() throws IOException {
    boxes();
    PictureEpisode visit = visit(Map.of("window", List.of(400, 300)));
    BufferedImage picture = visit.picture().orElseThrow();
    assertEquals(400, picture.getWidth());
    assertEquals(300, picture.getHeight());
    assertEquals(0xFFFF0000, picture.getRGB(45, 25));
    assertEquals(0xFFFFFFFF, picture.getRGB(39, 25));
    assertEquals(0xFF0000FF, picture.getRGB(139, 149));
    assertEquals(0xFF000000, picture.getRGB(90, 225));
    assertTrue(visit.observation().contains("rows 0 to 300 of 1550"), visit.observation());
    assertFalse(visit.observation().contains("Mill"), "the page is not told in words");
    assertEquals(List.of("click[90,45]", "scroll[down]", "answer[…]"), with(visit.actions()));
    Step beside = act(visit, "click[39,25]");
    assertTrue(beside.observation().contains("there is no link at 39,25."));
    assertTrue(act(visit, "click[90,125]").observation().contains("leads out of this site"));
    assertTrue(act(visit, "click[90,225]").observation().contains("there is no link at 90,225."));
    Step hall = act(visit, "click[139, 69]");
    assertTrue(hall.observation().contains("Page: Hall (hall.html)"), hall.observation());
    assertEquals(1, hall.metrics().get("action_is_effective"));
  }

  /** {@code actions} without what is answered. */
  private static List<String> with(List<String> actions) {
    return actions.stream()
        .map(action -> action.startsWith("answer") ? "answer[…]" : action)
        .distinct()
        .toList();
  }

  @Test
  void theWindowIsMovedOverLongPages() throws IOException {
    boxes();
    PictureEpisode visit = visit(Map.of("window", List.of(400, 300), "max_steps", 9));
    assertTrue(act(visit, "scroll[up]").observation().contains("does not go on there"));
    act(visit, "scroll[down]");
    // nine tenths of the window
    assertTrue(visit.observation().contains("rows 270 to 570 of 1550"), visit.observation());
    for (int i = 0; i < 4; i++) {
      act(visit, "scroll[down]");
    }
    assertTrue(visit.observation().contains("rows 1250 to 1550 of 1550"), visit.observation());
    assertEquals(0xFFFF00FF, visit.picture().orElseThrow().getRGB(45, 260));
    assertTrue(act(visit, "click[45,260]").observation().contains("(mill/index.html)"));
    // the page before is seen from its top again
    assertTrue(act(visit, "back").observation().contains("rows 0 to 300 of 1550"));
  }

  @Test
  void linksAreClickedByTheirWordsAndMarks() throws IOException {
    Sites.town(folder, QUESTION);
    BufferedImage plain = visit(Map.of()).picture().orElseThrow();
    PictureEpisode visit = visit(Map.of("marks", true));
    BufferedImage marked = visit.picture().orElseThrow();
    assertNotEquals(0, differences(plain, marked), "no marks are drawn");
    assertTrue(act(visit, "click[2]").observation().contains("(mill/index.html)"));
    act(visit, "back");
    assertTrue(act(visit, "click[HALL]").observation().contains("(hall.html)"));
    assertTrue(act(visit, "click[9]").observation().contains("there is no [9]"));
  }

  private static long differences(BufferedImage one, BufferedImage other) {
    long count = 0;
    for (int y = 0; y < one.getHeight(); y++) {
      for (int x = 0; x < one.getWidth(); x++) {
        count += one.getRGB(x, y) == other.getRGB(x, y) ? 0 : 1;
      }
    }
    return count;
  }

  @Test
  void theExpertScrollsAndClicks() throws IOException {
    boxes();
    Sites.write(folder.resolve("questions.jsonl"), "{\"question\": \"?\", \"answer\": \"sacks\"}");
    PictureEpisode visit = visit(Map.of("max_steps", 8, "window", List.of(400, 500)));
    StringBuilder way = new StringBuilder();
    Optional<String> next = visit.expert();
    while (next.isPresent()) {
      way.append(next.get()).append(' ');
      act(visit, next.get());
      next = visit.expert();
    }
    assertEquals("scroll[down] scroll[down] scroll[down] click[90,475] answer[sacks] ", way + "");
  }

  @Test
  void picturesAndStylesOfTheSiteAreShownScriptsAreNotRun() throws IOException {
    Sites.town(folder, QUESTION);
    Sites.write(folder.resolve("style/a.css"), "body { background: #123456 }");
    Sites.write(
        folder.resolve("index.html"),
        "<link rel=stylesheet href='style/a.css'>"
            + "<script>document.documentElement.innerHTML = '<body bgcolor=red>'</script>"
            + "<a href='hall.html'>hall</a>");
    BufferedImage picture = visit(Map.of()).picture().orElseThrow();
    assertEquals(0xFF123456, picture.getRGB(700, 500));
  }

  @Test
  void noRequestLeavesTheSite() throws IOException {
    try (ServerSocket outside = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String at = "127.0.0.1:" + outside.getLocalPort();
      Sites.town(folder.resolve("site"), QUESTION);
      Sites.write(folder.resolve("secret.css"), "body { background: #f00 }");
      folder = folder.resolve("site");
      Sites.write(
          folder.resolve("index.html"),
          """
          <link rel="preconnect" href="http://AT"><link rel="dns-prefetch" href="//AT">
          <link rel="prefetch" href="http://AT/p"><link rel="icon" href="http://AT/i">
          <link rel="stylesheet" href="http://AT/a.css"><link rel="stylesheet" href="../secret.css">
          <link rel="stylesheet" href="/%2e%2e/secret.css">
          <link rel="stylesheet" href="file://SECRET">
          <meta http-equiv="refresh" content="0; url=http://AT/refresh">
          <style>@import url(http://AT/b.css); @font-face { font-family: f; src: url(http://AT/f) }
          body { background: #0f0 url(http://AT/c.png); font-family: f }</style>
          <script src="http://AT/s.js"></script><script>fetch('http://AT/x')</script>
          <img src="http://AT/d.png"><img src="//localhost:PORT/e.png"><video src="http://AT/v"></video>
          <iframe src="http://AT/g"></iframe><object data="http://AT/o"></object>
          <embed src="http://AT/h"><p>still here</p><a ping="http://AT/ping" href="hall.html">hall</a>
          """
              .replace("AT", at)
              .replace("PORT", String.valueOf(outside.getLocalPort()))
              .replace("SECRET", folder.resolveSibling("secret.css").toString()));
      PictureEpisode visit = visit(Map.of());
      assertEquals(0xFF00FF00, visit.picture().orElseThrow().getRGB(790, 590));
      act(visit, "click[hall]");
      visit.picture();
      outside.setSoTimeout(500);
      assertThrows(SocketTimeoutException.class, outside::accept, "the browser came here");
    }
  }

  @Test
  void aPageThatLeadsOnByItselfStays() throws IOException {
    Sites.town(folder, QUESTION);
    Sites.write(
        folder.resolve("index.html"),
        "<title>Start</title><meta http-equiv=refresh content='0; url=hall.html'>"
            + "<body bgcolor=#00ff00><a href=hall.html>hall</a>");
    assertEquals(0xFF00FF00, visit(Map.of()).picture().orElseThrow().getRGB(700, 500));
  }
}
