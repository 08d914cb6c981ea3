package roll.env.click_and_read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.Options;
import roll.browser.BrowserException;
import roll.browser.Chromium;
import roll.env.click_and_read.browser.Browser;
import roll.env.click_and_read.browser.PageScreenshot;
import roll.env.click_and_read.site.Page;
import roll.env.click_and_read.site.Site;
import roll.env.click_and_read.site.SiteFolders;
import roll.testkit.TestOptions;

/** The one browser for all sessions: it is started, shared, ends, and is started again. */
@Tag("processes")
@Timeout(120)
@EnabledIf(
    value = "roll.env.click_and_read.BrowserTest#installed",
    disabledReason = "no Chromium on the PATH: picture mode is not tested")
class BrowserProcessTest {
  @TempDir Path folder;

  @Test
  void aPageIsShownOnceForAllSessions() throws Exception {
    Sites.town(folder, BrowserTest.QUESTION);
    Site site = new SiteFolders().get("site_path", folder, 8_000);
    Page page = site.page("index.html");
    try (Browser browser = new Browser(chromium(), 300, 200);
        ExecutorService sessions = Executors.newVirtualThreadPerTaskExecutor()) {
      Viewport eyes =
          new Viewport((of, shown, most) -> browser.show(of, shown.path(), most), 300, 200, false);
      List<Future<PageScreenshot>> looks =
          sessions.invokeAll(Collections.nCopies(1_000, () -> eyes.look(site, page)));
      for (Future<PageScreenshot> look : looks) {
        assertSame(eyes.look(site, page), look.get());
      }
    }
  }

  @Test
  void theBrowserEndsWithItsOwner() throws Exception {
    Sites.town(folder, BrowserTest.QUESTION);
    Set<Long> before = children();
    ClickAndReadEnvironment environment = new ClickAndReadEnvironment();
    Options options =
        TestOptions.of(
            "env_config",
            Map.of("observation_mode", "picture", "site_path", folder.toString()),
            environment.options());
    var visit = environment.configure(options).reset(0);
    assertEquals(before, children(), "it is started when it is needed");
    assertTrue(visit.picture().isPresent());
    List<ProcessHandle> started =
        ProcessHandle.current()
            .descendants()
            .filter(process -> !before.contains(process.pid()))
            .toList();
    assertFalse(started.isEmpty());
    environment.close();
    for (ProcessHandle process : started) {
      process.onExit().get(20, TimeUnit.SECONDS);
    }
    var late = environment.configure(options).reset(0);
    assertThrows(BrowserException.class, late::picture);
  }

  @Test
  void aBrowserThatDiedIsStartedAgain() throws Exception {
    Sites.town(folder, BrowserTest.QUESTION);
    Site site = new SiteFolders().get("site_path", folder, 8_000);
    try (Browser browser = new Browser(chromium(), 300, 200)) {
      Set<Long> before = children();
      assertEquals(2, browser.show(site, "index.html", 2_000).links().size());
      List<ProcessHandle> started =
          ProcessHandle.current()
              .descendants()
              .filter(process -> !before.contains(process.pid()))
              .toList();
      started.forEach(ProcessHandle::destroyForcibly);
      for (ProcessHandle process : started) {
        process.onExit().get(20, TimeUnit.SECONDS);
      }
      assertEquals(2, shownAgain(browser, site).links().size());
    }
  }

  /** The first try may still meet the old one's end. */
  private static PageScreenshot shownAgain(Browser browser, Site site) {
    try {
      return browser.show(site, "index.html", 2_000);
    } catch (BrowserException e) {
      return browser.show(site, "index.html", 2_000);
    }
  }

  private static Chromium chromium() {
    return new Chromium(Chromium.installed(System.getenv("PATH")).orElseThrow(), List.of());
  }

  private static Set<Long> children() {
    return ProcessHandle.current()
        .descendants()
        .map(ProcessHandle::pid)
        .collect(Collectors.toSet());
  }
}
