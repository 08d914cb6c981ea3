package roll.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The installed browser, and programs that are not browsers. */
@Tag("processes")
@Timeout(120)
class BrowserProcessTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  static boolean installed() {
    return Chromium.installed(System.getenv("PATH")).isPresent();
  }

  private static BrowserProcess started() {
    Path program = Chromium.installed(System.getenv("PATH")).orElseThrow();
    return BrowserProcess.start(new Chromium(program, List.of()), LIMIT);
  }

  @Test
  @EnabledIf(
      value = "installed",
      disabledReason = "no Chromium on the PATH: picture mode is not tested")
  void aTabEvaluatesListensAndIsDrawn() throws Exception {
    BrowserProcess browser = started();
    try (browser;
        BrowserTab tab = browser.open(300, 200)) {
      assertTrue(tab.isOf(browser.tools()));
      assertEquals(42, tab.evaluate("6 * 7").getAsInt());
      assertEquals("later", tab.evaluate("Promise.resolve('later')").getAsString());
      assertTrue(tab.evaluate("undefined").isJsonNull());
      String thrown =
          assertThrows(BrowserException.class, () -> tab.evaluate("nothing.there")).getMessage();
      assertTrue(thrown.startsWith("browser: the page says ReferenceError"), thrown);
      assertThrows(BrowserException.class, () -> tab.call("No.method", Map.of()));
      CompletableFuture<String> heard = new CompletableFuture<>();
      tab.listen(
          (method, event) -> {
            if (method.equals("Runtime.consoleAPICalled")) {
              heard.complete(event.get("type").getAsString());
            }
          });
      tab.call("Runtime.enable", Map.of());
      tab.evaluate("console.warn('x')");
      assertEquals("warning", heard.get(60, TimeUnit.SECONDS));
      tab.evaluate("document.body.style.background = '#00f'");
      var picture = ImageIO.read(new ByteArrayInputStream(tab.picture(300, 200)));
      assertEquals(300, picture.getWidth());
      assertEquals(0xFF0000FF, picture.getRGB(299, 199));
    }
    assertFalse(browser.alive());
    assertThrows(BrowserException.class, () -> browser.open(1, 1));
  }

  /** The last message of an ended program is reported. */
  @Test
  void aProgramThatEndsSaysWhy(@TempDir Path folder) throws IOException {
    Path program = folder.resolve("chrome");
    Files.writeString(program, "#!/bin/sh\necho 'no display' >&2\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    try (BrowserProcess browser = BrowserProcess.start(new Chromium(program, List.of()), LIMIT)) {
      String said = assertThrows(BrowserException.class, () -> browser.open(1, 1)).getMessage();
      assertEquals("browser: " + program + " ended: no display", said);
    }
  }

  @Test
  void whatIsNotThereIsNamed(@TempDir Path folder) {
    Path none = folder.resolve("none");
    try (BrowserProcess browser = BrowserProcess.start(new Chromium(none, List.of()), LIMIT)) {
      String said = assertThrows(BrowserException.class, () -> browser.open(1, 1)).getMessage();
      assertTrue(said.startsWith("browser: " + none + " ended: "), said);
    }
  }
}
