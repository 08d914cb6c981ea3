package roll.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.browser.testkit.OpenPage;
import roll.browser.testkit.TestBrowser;

/** The list of runs and the curves of folders. */
@Tag("processes")
@Timeout(300)
class RunListTest {
  private static final String SHOWN =
      "[...document.querySelectorAll('tbody tr:not([hidden])')].map(row =>"
          + " row.querySelector('a').textContent + ' ' + row.querySelector('.badge').textContent)"
          + ".sort().join(', ')";

  @TempDir static Path runs;
  @AutoClose private static TestBrowser browser;
  @AutoClose private static FolderPage page;

  @BeforeAll
  static void start() throws Exception {
    browser = TestBrowser.start();
    RecordedRun.write(runs, "lake", 40, "ice");
    begun("early").log("ended after step 2");
    begun("broken").log("refused: no such model");
    begun("silent");
    Path owner = begun("other").folder().resolve(".owner");
    Files.writeString(owner, "1 on another-machine since 2026-01-01T00:00:00Z\n");
    page = FolderPage.of(runs, 0);
  }

  private static RunFolderMaker begun(String name) throws Exception {
    return RunFolderMaker.in(runs.resolve(name))
        .config("exp_name: " + name + "\nmax_steps: 9\n")
        .log("begun")
        .steps(0, 2);
  }

  private static String shown(String query) throws Exception {
    try (OpenPage open = browser.open()) {
      open.go(page.address() + "#/runs" + query);
      FolderPage.awaitShown(open);
      return open.evaluate(SHOWN).getAsString();
    }
  }

  @Test
  void eachEndHasItsOwnWordAndWhatGoesOnElsewhereIsLive() throws Exception {
    assertEquals(
        "broken failed, early stopped, lake finished, other running, silent killed", shown(""));
    assertEquals("other running", shown("?show=live"));
    assertEquals(
        "broken failed, early stopped, lake finished, silent killed", shown("?show=ended"));
  }

  @Test
  void numbersOfSmoothedCurvesSaySo() throws Exception {
    try (OpenPage open = browser.open()) {
      String legend = "document.querySelector('.legend .value, .readout strong').textContent";
      open.go(page.address() + "#/run/" + page.id("lake") + "?smooth=0.9");
      FolderPage.awaitShown(open);
      open.awaitText(" smoothed");
      assertTrue(open.evaluate(legend).getAsString().endsWith(" smoothed"));
    }
  }
}
