package roll.env.click_and_read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.browser.Chromium;
import roll.env.click_and_read.site.Site;
import roll.env.click_and_read.site.SiteFolder;
import roll.env.click_and_read.site.SiteFolders;

/** Sites and questions of a user's own, and one line for each mistake in them. */
class FolderTest {
  private static final String MILL = "{\"question\": \"How many?\", \"answer\": \"1,200 sacks\"}";

  @TempDir Path temp;

  private static String complaint(Map<String, Object> config) {
    return userError(() -> Sites.scenario(config));
  }

  /** Messages about a file of questions, after its name. */
  private String complaint(String... questions) throws IOException {
    Path folder = Sites.town(temp, questions);
    String message = complaint(Map.of("site_path", folder.toString()));
    String file = folder.resolve("questions.jsonl").toString();
    assertTrue(message.startsWith(file), message);
    return message.substring(file.length());
  }

  @Test
  void keys() throws IOException {
    assertEquals(
        "env_config.site_path: no folder '" + Path.of("nowhere").toAbsolutePath() + "'",
        complaint(Map.of("site_path", "nowhere")));
    assertEquals(
        "env_config.questions_file needs site_path", complaint(Map.of("questions_file", "q")));
    assertEquals(
        "env_config.depth: expected less than max_steps (2), since the answer is an action too,"
            + " found '2'",
        complaint(Map.of("max_steps", 2)));
    assertEquals(
        "env_config.num_pages: expected an integer from 3 to 200, found '2'",
        complaint(Map.of("num_pages", 2)));
    assertEquals(
        "env_config.observation_mode: expected one of text, picture, found 'html'",
        complaint(Map.of("observation_mode", "html")));
    assertEquals(
        "env_config.site_path: expected a folder with 1 to 10000 files .html or .htm, '"
            + temp
            + "' has none",
        complaint(Map.of("site_path", temp.toString())));
    Sites.write(temp.resolve("index.html"), "<p>x");
    assertEquals(
        "env_config.site_path: no file '"
            + temp.resolve("questions.jsonl")
            + "': expected the questions there or in questions_file",
        complaint(Map.of("site_path", temp.toString())));
    assertEquals(
        "env_config.questions_file: expected an existing file, found 'nowhere.jsonl'",
        complaint(Map.of("site_path", temp.toString(), "questions_file", "nowhere.jsonl")));
  }

  @Test
  void keysOfPictures() {
    assertEquals(
        "env_config.browser: expected an installed Chromium, found 'no-such-browser'",
        complaint(Map.of("observation_mode", "picture", "browser", "no-such-browser")));
    assertEquals(
        "env_config.window: expected width and height, two integers from 200 to 4000, found"
            + " '[800, 60]'",
        complaint(
            Map.of(
                "observation_mode", "picture", "browser", "/bin/sh", "window", List.of(800, 60))));
    assertEquals(Optional.empty(), Chromium.installed(temp.toString()));
  }

  @Test
  void questions() throws IOException {
    assertEquals(": no question in it", complaint(""));
    assertEquals(":3: not valid JSON", complaint(MILL, "", "{\"question\": "));
    assertEquals(":2: expected one JSON object", complaint(MILL, "[1]"));
    assertEquals(":1: not valid JSON", complaint(MILL + MILL));
    assertEquals(":1: 'question' is missing", complaint("{\"answer\": \"1,200 sacks\"}"));
    assertEquals(":1: 'answer' is missing", complaint("{\"question\": \"?\"}"));
    assertEquals(
        ":1: 'answer' must be a text, found '{}'",
        complaint("{\"question\": \"?\", \"answer\": {}}"));
    assertEquals(":1: 'answer' has no answer", complaint("{\"question\": \"?\", \"answer\": []}"));
    assertEquals(
        ":1: answer 'The!' has no word that counts",
        complaint("{\"question\": \"?\", \"answer\": \"The!\"}"));
    assertEquals(
        ":1: unknown key 'url' (allowed: question, answer, start, page)",
        complaint(MILL.replace("}", ", \"url\": \"x\"}")));
    assertEquals(
        ":1: 'page': the site has no page '../x.html'",
        complaint(MILL.replace("}", ", \"page\": \"../x.html\"}")));
    assertEquals(
        ":1: the answer is not within reach from deep/cellar.html, max_steps allows 4",
        complaint(MILL.replace("}", ", \"start\": \"deep/cellar.html\"}")));
  }

  @Test
  void whatTakesTooManyClicksIsRefused() throws IOException {
    Path folder = Sites.town(temp, "{\"question\": \"?\", \"answer\": \"dark blue\"}");
    assertEquals(
        folder.resolve("questions.jsonl")
            + ":1: the answer is 2 clicks from index.html, max_steps allows 1",
        complaint(Map.of("site_path", folder.toString(), "max_steps", 2)));
    Sites.scenario(Map.of("site_path", folder.toString(), "max_steps", 3));
  }

  @Test
  void theAnswersPageIsFoundOrNamed() throws IOException {
    Path folder = Sites.town(temp, MILL);
    Map<String, Object> config = Map.of("site_path", folder.toString());
    assertEquals(
        Map.of("mill/index.html", 0, "index.html", 1, "hall.html", 2),
        Sites.episode(config, 0).task().clicks());
    Sites.town(temp, MILL.replace("}", ", \"page\": \"hall.html\"}"));
    assertEquals(1, Sites.episode(config, 0).task().clicks().get("index.html"));
    assertEquals(0, Sites.episode(config, 0).task().clicks().get("hall.html"));
    // what is on no page has no way; the expert answers at once
    Sites.town(temp, "{\"question\": \"?\", \"answer\": \"elsewhere\"}");
    assertEquals("answer[elsewhere]", Sites.episode(config, 0).expert().orElseThrow());
  }

  @Test
  void aFolderIsParsedOnceAndAgainWhenItChanged() throws IOException {
    Path folder = Sites.town(temp, MILL);
    SiteFolders folders = new SiteFolders();
    Site site = folders.get("site_path", folder, 8_000);
    assertSame(site, folders.get("site_path", folder, 8_000));
    assertNotSame(site, folders.get("site_path", folder, 9_000));
    Files.setLastModifiedTime(folder.resolve("hall.html"), FileTime.fromMillis(1));
    assertNotSame(site, folders.get("site_path", folder, 8_000));
  }

  @Test
  void symbolicLinksAreNotFollowed() throws IOException {
    Path folder = Sites.town(temp.resolve("site"), MILL);
    Path secret = temp.resolve("secret");
    Sites.write(secret.resolve("a.html"), "secret");
    Files.createSymbolicLink(folder.resolve("out.html"), secret.resolve("a.html"));
    Files.createSymbolicLink(folder.resolve("out"), secret);
    assertEquals(Sites.TOWN.keySet(), SiteFolder.files("site_path", folder).keySet());
  }

  @Test
  void theCharacterSetIsThePagesOwn() throws IOException {
    Path folder = Sites.town(temp, MILL);
    Files.write(
        folder.resolve("index.html"),
        "<meta charset=iso-8859-1><p>Straßen</p>".getBytes(StandardCharsets.ISO_8859_1));
    Site site = new SiteFolders().get("site_path", folder, 8_000);
    assertEquals("Straßen", site.page("index.html").lines().getFirst().text());
  }

  @Test
  void largeFilesAreRefused() throws IOException {
    Path folder = Sites.town(temp, MILL);
    Files.write(folder.resolve("hall.html"), new byte[(4 << 20) + 1]);
    assertEquals(
        folder.resolve("hall.html") + ": larger than 4 MiB",
        complaint(Map.of("site_path", folder.toString())));
  }
}
