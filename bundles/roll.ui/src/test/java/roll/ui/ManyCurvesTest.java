package roll.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.browser.testkit.OpenPage;
import roll.browser.testkit.TestBrowser;

/** Curves of more metrics than a request may name, and of none. */
@Tag("processes")
@Timeout(300)
class ManyCurvesTest {
  private static final int TAGS = 70;

  private static final String NOTES =
      "[...document.querySelectorAll('.note')].filter(note => !note.hidden)"
          + ".map(note => note.textContent).join(' ')";

  @TempDir static Path runs;
  @AutoClose private static TestBrowser browser;
  @AutoClose private static FolderPage page;

  @BeforeAll
  static void start() throws Exception {
    browser = TestBrowser.start();
    RunFolderMaker many = RunFolderMaker.in(runs.resolve("many")).config("seed: 1").log("begun");
    for (int step = 0; step < 3; step++) {
      Map<String, Double> metrics = new TreeMap<>(Map.of("time/step_total", 1.0));
      for (int tag = 0; tag < TAGS; tag++) {
        metrics.put("env/tag" + tag + "/success", tag / 100.0);
      }
      many.step(step, metrics);
    }
    many.log("ended after step 3");
    RunFolderMaker.in(runs.resolve("none")).config("seed: 1").log("begun");
    RunFolderMaker.in(runs.resolve("other")).config("seed: 2").log("begun");
    page = FolderPage.of(runs, 0);
  }

  @Test
  void everyTagHasItsLine() throws Exception {
    try (OpenPage open = browser.open()) {
      open.go(page.address() + "#/run/" + page.id("many"));
      FolderPage.awaitShown(open);
      open.await("document.querySelectorAll('.chart .legend li').length === " + TAGS);
      assertEquals("", open.evaluate(NOTES).getAsString());
    }
  }

  @Test
  void aComparisonWithoutMetricsIsNoError() throws Exception {
    try (OpenPage open = browser.open()) {
      open.go(page.address() + "#/compare?runs=" + page.id("none") + "," + page.id("other"));
      FolderPage.awaitShown(open);
      assertEquals("", open.evaluate(NOTES).getAsString());
      assertFalse(open.text("h1").isBlank());
    }
  }
}
