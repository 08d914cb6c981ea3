package roll.env.click_and_read.site;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.env.Episode;
import roll.api.option.Options;
import roll.browser.BrowserException;
import roll.env.click_and_read.ClickAndReadEnvironment;
import roll.env.click_and_read.Sites;
import roll.testkit.TestOptions;

/** Files served to a browser, and a program that is not one. */
class SiteContentTest {
  @TempDir Path temp;

  @Test
  void onlyFilesBelowTheFolderAreGiven() throws IOException {
    Path site = temp.resolve("site");
    Sites.write(site.resolve("style/a b.css"), "x");
    Sites.write(temp.resolve("secret.css"), "secret");
    Files.createSymbolicLink(site.resolve("out.css"), temp.resolve("secret.css"));
    Files.createSymbolicLink(site.resolve("up"), temp);
    Files.createSymbolicLink(site.resolve("same.css"), site.resolve("style/a b.css"));
    SiteContent content = SiteContent.of(site);
    byte[] expected = "x".getBytes(StandardCharsets.UTF_8);
    assertArrayEquals(expected, content.at("style/a b.css").orElseThrow());
    assertArrayEquals(expected, content.at("style/../style/a b.css").orElseThrow());
    assertArrayEquals(expected, content.at("same.css").orElseThrow());
    for (String path :
        new String[] {
          "../secret.css",
          "style/../../secret.css",
          "/etc/passwd",
          temp.resolve("secret.css").toString(),
          "out.css",
          "up/secret.css",
          "style",
          "",
          "nowhere",
          "a\0b"
        }) {
      assertTrue(content.at(path).isEmpty(), path);
    }
  }

  @Test
  void typesGoByName() {
    assertEquals("text/html", SiteContent.type("a/b.HTM"));
    assertEquals("image/svg+xml", SiteContent.type("x.svg"));
    assertEquals("application/octet-stream", SiteContent.type("README"));
  }

  @Test
  @Tag("processes")
  @Timeout(60)
  void aProgramThatIsNoBrowserIsTold() {
    ClickAndReadEnvironment environment = new ClickAndReadEnvironment();
    Options options =
        TestOptions.of(
            "env_config",
            Map.of("observation_mode", "picture", "browser", "/bin/sh"),
            environment.options());
    try (Episode episode = environment.configure(options).reset(0)) {
      String message = assertThrows(BrowserException.class, episode::picture).getMessage();
      assertTrue(message.startsWith("browser: /bin/sh ended: "), message);
      assertFalse(message.contains("\n"), message);
    } finally {
      environment.close();
    }
  }
}
