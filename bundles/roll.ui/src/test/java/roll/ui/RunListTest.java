package roll.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.browser.testkit.OpenPage;
import roll.browser.testkit.TestBrowser;
import roll.ui.control.OrderRecordingRun;

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
        "broken failed, early interrupted, lake finished, other running, silent killed", shown(""));
    assertEquals("other running", shown("?show=live"));
    assertEquals(
        "broken failed, early interrupted, lake finished, silent killed", shown("?show=ended"));
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

  @Test
  void aLinkHasFilterColumnsAndOrder() throws Exception {
    String order =
        "[...document.querySelectorAll('tbody tr')].map(row => (row.querySelector('a') ?? row)"
            + ".textContent).join(', ')";
    try (OpenPage open = browser.open()) {
      open.go(
          page.address() + "#/runs?q=max_steps%3D9+state!%3Dkilled&columns=max_steps&sort=-name");
      FolderPage.awaitShown(open);
      assertEquals("other, early, broken", open.evaluate(order).getAsString());
      assertEquals(
          "9", open.evaluate("document.querySelector('td.chosen').textContent").getAsString());
      assertEquals(
          "descending",
          open.evaluate("document.querySelector('th[aria-sort]').ariaSort").getAsString());
      open.click("th button", "run");
      open.await(order + " === 'broken, early, other'");
      open.await("location.hash.includes('sort=name')");
      open.go(page.address() + "#/runs?q=max_steps%3D9&group=state&sort=name");
      FolderPage.awaitShown(open);
      open.await(
          order
              + " === 'failed 1 run, broken, interrupted 1 run, early, killed 1 run, silent,"
              + " running 1 run, other'");
      open.go(page.address() + "#/runs?q=max_steps%3Enine");
      FolderPage.awaitShown(open);
      open.awaitText("filter: expected a number after 'max_steps>', found 'nine'");
    }
  }

  @Test
  void notesAndDeletionAreOrderedByDialogs() throws Exception {
    RunFolderMaker gone = begun("gone").log("ended after step 2");
    try (OpenPage open = browser.open()) {
      open.go(page.address() + "#/runs?q=gone");
      FolderPage.awaitShown(open);
      open.await("document.querySelector('[aria-label=\"Notes of gone\"]') !== null");
      open.evaluate("document.querySelector('[aria-label=\"Notes of gone\"]').click()");
      open.evaluate("document.querySelector('dialog textarea').value = 'too slow'");
      open.evaluate("document.querySelector('dialog input[type=text]').value = 'old'");
      open.click("dialog button", "Save");
      open.await("document.querySelector('.tag')?.textContent === 'old'");
      assertTrue(Files.readString(gone.folder().resolve("notes.json")).contains("too slow"));
      open.evaluate("document.querySelector('[aria-label=\"Notes of gone\"]').click()");
      open.click("dialog button", "Delete …");
      open.awaitText("cannot be undone");
      open.click("dialog button", "Delete");
      open.await("document.querySelector('dialog') === null");
      open.awaitText("No run matches the filter.");
      assertFalse(Files.exists(gone.folder()));
    }
  }

  /** The run itself pauses after its step, which may take minutes. */
  @Test
  void aPauseIsShownAtOnce(@TempDir Path place) throws Exception {
    List<String> orders = new ArrayList<>();
    OrderRecordingRun run = new OrderRecordingRun(1, orders).in(place.resolve("own"));
    try (FolderPage listed = FolderPage.of(place, 0, run);
        OpenPage open = browser.open()) {
      open.go(listed.address() + "#/runs?sort=name");
      FolderPage.awaitShown(open);
      open.click("button", "Pause");
      open.await("document.querySelector('td .badge').textContent === 'pausing'");
      open.click("button", "Resume");
      open.await("document.querySelector('td .badge').textContent === 'running'");
      assertEquals(List.of("pause", "resume"), orders);
    }
  }

  @Test
  void manyRunsAreListed(@TempDir Path many) throws Exception {
    for (int i = 0; i < 500; i++) {
      RunFolderMaker.in(many.resolve("run" + i))
          .config("exp_name: run" + i + "\nmax_steps: 9\n")
          .log("begun")
          .steps(0, 9)
          .log("ended after step 9");
    }
    try (FolderPage listed = FolderPage.of(many, 0);
        OpenPage open = browser.open()) {
      open.go(listed.address() + "#/runs");
      FolderPage.awaitShown(open);
      assertEquals(500, open.evaluate("document.querySelectorAll('tbody tr').length").getAsInt());
      String asked =
          "performance.getEntriesByType('resource').find(one => one.name.endsWith('/api/runs'))";
      System.out.println(
          open.evaluate(
                  "'500 runs: asked after ' + Math.round("
                      + asked
                      + ".startTime) + ' ms, answered in ' + Math.round("
                      + asked
                      + ".duration) + ' ms, shown after ' + Math.round(performance.now()) + ' ms'")
              .getAsString());
    }
  }
}
