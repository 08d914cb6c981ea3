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
  void smoothingIsMarkedAndChangesNoNumber() throws Exception {
    String numbers =
        "[...document.querySelectorAll('.legend .value, .readout strong')].map(n => n.textContent)"
            + ".join(' ')";
    String run = page.address() + "#/run/" + page.id("lake");
    try (OpenPage open = browser.open()) {
      open.go(run + "?x=step");
      FolderPage.awaitShown(open);
      open.await(
          "document.querySelectorAll('.chart').length > 5"
              + " && document.querySelector('.chart .nothing') === null");
      String plain = open.evaluate(numbers).getAsString();
      assertTrue(plain.length() > 10, plain);
      try (OpenPage smooth = browser.open()) {
        smooth.go(run + "?smooth=0.9");
        FolderPage.awaitShown(smooth);
        smooth.awaitText("smoothed 0.9");
        smooth.await(numbers + " === '" + plain + "'");
      }
    }
  }

  @Test
  void metricsAreFoundByTheirBeginningAndTheChoiceIsKept() throws Exception {
    String added =
        "[...document.querySelectorAll('figure.chart h2')].map(h => h.textContent)"
            + ".filter(t => t.startsWith('memory/step_val/')).sort().join(' ')";
    String run = page.address() + "#/run/" + page.id("lake");
    try (OpenPage open = browser.open()) {
      open.go(run);
      FolderPage.awaitShown(open);
      open.evaluate(
          "const i = document.querySelector('.metric-search input'); i.value = 'memory/step_val/';"
              + " i.onkeydown({key: 'Enter'})");
      String both = "memory/step_val/end memory/step_val/start";
      open.await(added + " === '" + both + "'");
      open.go(page.address() + "#/services");
      FolderPage.awaitShown(open);
      open.go(run);
      FolderPage.awaitShown(open);
      open.await(added + " === '" + both + "'");
    }
  }

  @Test
  void aChartIsSavedAsAPicture() throws Exception {
    try (OpenPage open = browser.open()) {
      open.go(page.address() + "#/run/" + page.id("lake") + "?x=step");
      FolderPage.awaitShown(open);
      open.await("document.querySelector('.uplot') !== null");
      open.evaluate("URL.createObjectURL = blob => { window.saved = blob; return 'blob:x'; }; 0");
      open.evaluate("document.querySelector('[aria-label=\"Save Score as PNG\"]').click()");
      open.await("window.saved !== undefined");
      assertEquals(
          "image/png 89504e47",
          open.evaluate(
                  "window.saved.arrayBuffer().then(all => window.saved.type + ' ' + [...new"
                      + " Uint8Array(all.slice(0, 4))].map(b => b.toString(16)).join(''))")
              .getAsString());
    }
  }
}
