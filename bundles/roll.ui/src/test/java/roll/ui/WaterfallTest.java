package roll.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.browser.testkit.OpenPage;
import roll.browser.testkit.PageScreen;
import roll.browser.testkit.TestBrowser;

/** The times of an episode, as bars. */
@Tag("processes")
@Timeout(120)
class WaterfallTest {
  @TempDir static Path runs;
  @AutoClose private static TestBrowser browser;
  @AutoClose private static FolderPage page;

  @BeforeAll
  static void start() throws Exception {
    browser = TestBrowser.start();
    RecordedRun.write(runs, "lake", 1, "ice");
    page = FolderPage.of(runs, 0);
  }

  @Test
  void thePartsOfAnEpisodeAreShown() throws Exception {
    for (PageScreen screen : List.of(PageScreen.LIGHT, PageScreen.DARK, PageScreen.NARROW)) {
      try (OpenPage open = browser.open()) {
        open.show(screen);
        open.go(page.address() + "#/run/" + page.id("lake") + "/trajectory/0/1");
        FolderPage.awaitShown(open);
        open.evaluate("document.querySelectorAll('main details').forEach(d => d.open = true)");
        assertEquals(
            "|environment reset|0.00 s|10 ms 1|queue for ice|10 ms|20 ms 1|generate|30 ms|10 ms"
                + " 1|execute_tool ice|40 ms|10 ms 2|environment step|60 ms|20 ms",
            open.evaluate(
                    "[...document.querySelectorAll('.waterfall tbody tr')].map(row =>"
                        + " [...row.cells].slice(0, 4).map(cell => cell.textContent).join('|'))"
                        + ".join(' ')")
                .getAsString());
        assertEquals(List.of(), open.complaints());
        assertEquals(List.of(), new Axe().violations(open));
        assertEquals(
            "false",
            open.evaluate("document.documentElement.scrollWidth > innerWidth").getAsString());
      }
    }
  }

  @Test
  void anEpisodeWithoutTimesHasNone() throws Exception {
    try (OpenPage open = browser.open()) {
      open.go(page.address() + "#/run/" + page.id("lake") + "/trajectory/0/0");
      FolderPage.awaitShown(open);
      assertEquals(0, open.evaluate("document.querySelectorAll('.waterfall').length").getAsInt());
    }
  }
}
