package roll.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.browser.testkit.OpenPage;
import roll.browser.testkit.TestBrowser;

/** Output of models, environments and people is shown as text. */
@Tag("hostile")
@Timeout(300)
class HostileTextTest {
  /** Without the slash, which no folder has in its name. */
  private static final String NAME = "<img src=x onerror=hurt()><script>hurt()";

  private static final String WORDS =
      "</title></textarea></script><script>window.hurt=1</script>"
          + "<img src=x onerror='window.hurt=1'><svg onload=window.hurt=1>"
          + "\"'><iframe srcdoc='<script>parent.hurt=1</script>'></iframe>"
          + "<a href='javascript:window.hurt=1'>link</a>{{token}}${hurt}\u202e\u2028\u0007end";

  /** Part of the text that is visible unless it was parsed as markup. */
  private static final String SEEN = "<script>window.hurt=1</script>";

  @TempDir static Path runs;
  @AutoClose private static TestBrowser browser;
  @AutoClose private static FolderPage page;

  @BeforeAll
  static void start() throws Exception {
    browser = TestBrowser.start();
    Path hostile = RecordedRun.write(runs, NAME, 12, WORDS);
    JsonObject notes = new JsonObject();
    notes.addProperty("note", WORDS);
    JsonArray tags = new JsonArray();
    tags.add("<img/src=x/onerror=hurt()>");
    notes.add("tags", tags);
    Files.writeString(hostile.resolve("notes.json"), notes.toString());
    RecordedRun.write(runs, "plain", 12, WORDS);
    page = FolderPage.of(runs, 0);
  }

  /** Requires that no script ran, no element was created, and the browser blocked nothing. */
  private static void requireUnhurt(OpenPage open) {
    assertEquals("undefined", open.evaluate("typeof window.hurt").getAsString());
    assertEquals(
        0,
        open.evaluate(
                "document.querySelectorAll('[onerror], [onload], iframe, img[src=\"x\"],"
                    + " a[href^=javascript], script:not([src])').length")
            .getAsInt());
    assertEquals(List.of(), open.complaints());
  }

  @Test
  void namesAreText() throws Exception {
    try (OpenPage open = browser.open()) {
      open.go(page.address() + "#/runs");
      FolderPage.awaitShown(open);
      open.awaitText(NAME);
      open.awaitText("<img/src=x/onerror=hurt()>");
      requireUnhurt(open);
      open.go(page.address() + "#/runs?columns=exp_name&group=exp_name&sort=-exp_name");
      FolderPage.awaitShown(open);
      open.awaitText(NAME);
      requireUnhurt(open);
      String both = page.id(NAME) + "," + page.id("plain");
      open.go(page.address() + "#/compare?runs=" + both);
      FolderPage.awaitShown(open);
      open.awaitText(NAME);
      requireUnhurt(open);
    }
  }

  @Test
  void configurationAndLogAreText() throws Exception {
    try (OpenPage open = browser.open()) {
      open.go(page.address() + "#/run/" + page.id(NAME));
      FolderPage.awaitShown(open);
      open.awaitText(NAME);
      assertEquals(open.text("h1") + " · roll", open.evaluate("document.title").getAsString());
      unfold(open);
      open.await("document.querySelector('main').textContent.split('" + SEEN + "').length > 2");
      requireUnhurt(open);
    }
  }

  @Test
  void whatWasWrittenInAnEpisodeIsText() throws Exception {
    try (OpenPage open = browser.open()) {
      open.go(page.address() + "#/run/" + page.id(NAME) + "/trajectories?step=0");
      FolderPage.awaitShown(open);
      open.awaitText("<script>window.hurt=1");
      requireUnhurt(open);
      open.go(page.address() + "#/run/" + page.id(NAME) + "/trajectory/0/1");
      FolderPage.awaitShown(open);
      unfold(open);
      open.awaitText(SEEN);
      requireUnhurt(open);
      String token =
          open.evaluate("document.querySelector('meta[name=roll-token]').content").getAsString();
      assertTrue(token.matches("[0-9a-f]{32,}"), token);
      assertFalse(
          open.text("main").contains(token), "the token is not put into what a model wrote");
    }
  }

  /** Opens all that is folded, and every tab in turn. */
  private static void unfold(OpenPage open) {
    open.evaluate(
        "document.querySelectorAll('main details').forEach(d => d.open = true);"
            + " document.querySelectorAll('main .tabs button').forEach(t => t.click())");
  }
}
