package roll.ui;

import static org.junit.jupiter.api.Assertions.assertTrue;

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

/** The page by keyboard. */
@Tag("processes")
@Timeout(120)
class KeyboardTest {
  private static final int MOST = 120;

  @TempDir static Path runs;
  @AutoClose private static TestBrowser browser;
  @AutoClose private static FolderPage page;

  @BeforeAll
  static void start() throws Exception {
    browser = TestBrowser.start();
    RecordedRun.write(runs, "lake", 12, "ice");
    RecordedRun.write(runs, "pond", 12, "ice");
    page = FolderPage.of(runs, 0);
  }

  /**
   * Reaches a trajectory from the list of runs by Tab and Enter; each focused element is visibly
   * focused.
   */
  @Test
  void aTrajectoryIsReached() throws Exception {
    try (OpenPage open = browser.open()) {
      open.go(page.address().toString());
      FolderPage.awaitShown(open);
      tabTo(open, "a lake");
      open.press("Enter");
      open.await("location.hash.startsWith('#/run/" + page.id("lake") + "')");
      FolderPage.awaitShown(open);
      open.awaitText("lake");
      tabToAddress(open, "/trajectories");
      open.press("Enter");
      open.await("location.hash.includes('/trajectories')");
      FolderPage.awaitShown(open);
      tabToAddress(open, "/trajectory/");
      open.press("Enter");
      open.await("/\\/trajectory\\/\\d+\\/\\d+/.test(location.hash)");
      FolderPage.awaitShown(open);
      open.awaitText("Right");
    }
  }

  /** The first focused element is the link past the navigation. */
  @Test
  void theNavigationCanBeSkipped() {
    try (OpenPage open = browser.open()) {
      open.go(page.address().toString());
      FolderPage.awaitShown(open);
      open.press("Tab");
      assertTrue(open.focused().contains("Skip"), open.focused());
      open.press("Enter");
      open.await("document.activeElement === document.querySelector('main')");
    }
  }

  private static void tabTo(OpenPage open, String name) {
    List<String> stops = new ArrayList<>();
    while (stops.size() < MOST) {
      open.press("Tab");
      requireVisibleFocus(open);
      stops.add(open.focused());
      if (stops.getLast().startsWith(name)) {
        return;
      }
    }
    throw new AssertionError(name + " is none of " + stops);
  }

  private static void tabToAddress(OpenPage open, String part) {
    List<String> stops = new ArrayList<>();
    while (stops.size() < MOST) {
      open.press("Tab");
      requireVisibleFocus(open);
      stops.add(open.evaluate("document.activeElement.getAttribute('href') ?? ''").getAsString());
      if (stops.getLast().contains(part)) {
        return;
      }
    }
    throw new AssertionError("no link with " + part + " among " + stops);
  }

  /** Requires an outline or a shadow. */
  private static void requireVisibleFocus(OpenPage open) {
    assertTrue(
        open.evaluate(
                """
                (() => {
                  const e = document.activeElement;
                  if (e === document.body) return true;
                  const s = getComputedStyle(e);
                  return s.boxShadow !== 'none'
                      || (s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0);
                })()
                """)
            .getAsBoolean(),
        () -> "the focus on '" + open.focused() + "' cannot be seen");
  }
}
