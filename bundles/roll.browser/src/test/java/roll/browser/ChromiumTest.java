package roll.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Finding and starting a browser. */
class ChromiumTest {
  @TempDir Path folder;

  private Path program(String name, String permissions) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  @Test
  void itIsFoundAsAShellFindsIt() throws IOException {
    Path first = program("one/chrome", "rwx------");
    program("two/chrome", "rwx------");
    program("plain/chrome", "rw-------");
    Files.createDirectories(folder.resolve("folder/chrome"));
    String path =
        List.of("", path("none"), path("plain"), path("folder"), path("one"), path("two")).stream()
            .reduce((a, b) -> a + File.pathSeparator + b)
            .orElseThrow();
    assertEquals(Optional.of(first), Chromium.find("chrome", path));
    assertEquals(Optional.empty(), Chromium.find("chrome", path("plain")));
    assertEquals(Optional.empty(), Chromium.find("chromium", path));
    assertEquals(Optional.of(first), Chromium.find(first.toString(), ""), "a file needs no PATH");
    assertEquals(Optional.empty(), Chromium.find(path("plain") + "/chrome", ""));
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  /** The order of names counts, not that of folders. */
  @Test
  void theFirstNameIsTaken() throws IOException {
    Path last = program("one/chrome-headless-shell", "rwx------");
    assertEquals(Optional.of(last), Chromium.installed(path("one")));
    Path first = program("two/chromium", "rwx------");
    assertEquals(
        Optional.of(first), Chromium.installed(path("one") + File.pathSeparator + path("two")));
    assertEquals(Optional.empty(), Chromium.installed(""));
  }

  @Test
  @Tag("processes")
  void itReachesNothingButTheHostThatIsNamed() {
    Chromium plain = new Chromium(Path.of("chrome"), List.of("--lang=en"));
    List<String> alone = plain.command(folder);
    assertEquals("chrome", alone.getFirst());
    assertEquals("--lang=en", alone.getLast());
    assertTrue(alone.contains("--user-data-dir=" + folder), alone.toString());
    assertTrue(alone.contains("--host-resolver-rules=MAP * ~NOTFOUND"), alone.toString());
    assertTrue(alone.contains("--remote-debugging-pipe"), "no port is opened");
    List<String> reaching = plain.reaching("127.0.0.1").command(folder);
    assertEquals(alone, reaching.subList(0, alone.size()));
    // the last one of a repeated option counts
    assertEquals(
        List.of("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
        reaching.subList(alone.size(), reaching.size()));
    assertFalse(plain.command(folder).contains("EXCLUDE"));
  }
}
