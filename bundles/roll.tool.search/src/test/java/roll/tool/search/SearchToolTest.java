package roll.tool.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;
import roll.testkit.TestOptions;

class SearchToolTest {
  @TempDir Path folder = Path.of("");

  private final SearchTool tool = new SearchTool();

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private ToolSet set(Object... options) {
    Map<String, Object> given = new HashMap<>();
    for (int i = 0; i < options.length; i += 2) {
      given.put((String) options[i], options[i + 1]);
    }
    return tool.configure(TestOptions.of("tool_config.search", given, tool.options()));
  }

  private static String ask(ToolSet set, String query) throws InterruptedException {
    try (ToolSession session = set.open(1)) {
      ToolResult result = session.call("search", Map.of("query", query));
      assertEquals(ToolResult.Status.SUCCESS, result.status());
      return result.observation();
    }
  }

  private String refusal(Object... options) {
    return userError(() -> set(options));
  }

  @Test
  void theBestPassagesComeFirst() throws Exception {
    Path file =
        write(
            "a.json",
            """
            [{"title": "Bread", "text": "Bread is baked\\nfrom flour."},
             {"title": "Cake", "text": "A cake is sweet; bread is not."},
             {"title": "", "text": "Nothing about either."},
             {"title": "Lists", "text": ["one baker", "two bakers"]}]
            """);
    try (ToolSet set = set("files", List.of(file.toString()))) {
      assertEquals(
          "1. Bread Bread is baked from flour.\n2. Cake A cake is sweet; bread is not.",
          ask(set, "What is bread?"));
      assertEquals("1. Lists one baker two bakers", ask(set, "BAKERS"));
      assertEquals("1. Nothing about either.", ask(set, "either"));
      assertEquals("Nothing was found; try other words.", ask(set, "xylophone"));
      assertEquals("Nothing was found; try other words.", ask(set, "the of"));
    }
  }

  @Test
  void linesTextsAndMarkdownInAFolderAreRead() throws Exception {
    write(
        "b.jsonl",
        "{\"id\": 1, \"head\": \"Otter\", \"body\": \"swims\"}\n\n{\"body\": \"eel\"}\n");
    write("c.txt", "The heron\nfishes.\n\n" + "Filling words here. ".repeat(60) + "\n\nThe stork.");
    write("d.md", "Intro bird\n# Herons\nstand still\n## Storks\nclap\n");
    write("e.bin", "heron");
    try (ToolSet set =
        set("files", List.of(folder.toString()), "fields", List.of("head", "body"), "top_k", 9)) {
      assertEquals("1. Otter swims", ask(set, "swimming"));
      assertEquals("1. eel", ask(set, "eels"));
      assertEquals("1. c The stork.\n2. d: Storks clap", ask(set, "stork"));
      assertEquals("1. d Intro bird", ask(set, "birds"));
      assertTrue(ask(set, "heron").contains(". d: Herons stand still"));
      assertFalse(ask(set, "heron").contains("3."));
    }
  }

  @Test
  void ofALongTextThePartIsShownThatFits() throws Exception {
    String text =
        "Many words before it. ".repeat(20) + "The walrus sings loudly. " + "z ".repeat(50);
    Path file = write("a.jsonl", "{\"title\": \"T\", \"text\": \"" + text + "\"}");
    try (ToolSet set = set("files", List.of(file.toString()), "snippet_length", 24)) {
      assertEquals("1. T …walrus sings loudly. z z…", ask(set, "loud walrus"));
      assertEquals("1. T Many words before it.…", ask(set, "t many"));
    }
  }

  @Test
  void oneIndexServesAllRolloutsUntilAFileChanges() throws Exception {
    Path file = write("a.txt", "old words");
    IndexCache indexes = new IndexCache();
    List<String> names = List.of(file.toString());
    IndexCache.Source source =
        new IndexCache.Source(Corpus.of("f", names, List.of("a", "b")), Optional.empty());
    PassageIndex first = indexes.use(source);
    indexes.release(source);
    IndexCache.Source again =
        new IndexCache.Source(Corpus.of("f", names, List.of("a", "b")), Optional.empty());
    assertSame(first, indexes.use(again));
    Files.writeString(file, "new words");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));
    IndexCache.Source changed =
        new IndexCache.Source(Corpus.of("f", names, List.of("a", "b")), Optional.empty());
    assertEquals("new words", indexes.use(changed).search("words", 1).getFirst().text());
    assertEquals("old words", first.search("words", 1).getFirst().text());
    indexes.close();
    assertEquals(2, indexes.size());
    indexes.release(again);
    assertEquals(1, indexes.size());
    indexes.release(changed);
    assertEquals(0, indexes.size());
  }

  @Test
  void anIndexIsKeptInAFolderAndReused() throws Exception {
    Path file = write("a.txt", "old words");
    Path kept = folder.resolve("index");
    Object[] options = {"files", List.of(file.toString()), "index_folder", kept.toString()};
    try (ToolSet set = set(options)) {
      assertEquals("1. a old words", ask(set, "word"));
    }
    tool.deactivate();
    List<String> before = names(kept);
    SearchTool other = new SearchTool();
    Map<String, Object> given = Map.of("files", options[1], "index_folder", options[3]);
    try (ToolSet set = other.configure(TestOptions.of("x", given, other.options()))) {
      assertEquals("1. a old words", ask(set, "word"));
      assertEquals(before, names(kept));
    }
    Files.writeString(file, "newer words");
    try (ToolSet set = other.configure(TestOptions.of("x", given, other.options()))) {
      assertEquals("1. a newer words", ask(set, "word"));
    }
    other.deactivate();
  }

  private static List<String> names(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void mistakesAreNamed() throws Exception {
    String where = "tool_config.search";
    String needed =
        where + ".files: expected at least one file, or the url of a retrieval server, found '[]'";
    assertEquals(needed, refusal());
    assertEquals(needed, refusal("files", List.of()));
    String none = folder.resolve("none").toString();
    assertEquals(where + ".files: '" + none + "' is not there", refusal("files", List.of(none)));
    String picture = write("a.png", "x").toString();
    assertEquals(
        where
            + ".files: '"
            + picture
            + "' is no file, or folder with files, of [.json, .jsonl, .txt, .md]",
        refusal("files", List.of(picture)));
    String broken =
        write("b.jsonl", "{\"title\": \"a\", \"text\": \"b\"}\n{\"title\": \"a\"").toString();
    assertTrue(refusal("files", List.of(broken)).startsWith(broken + ", entry 2: expected JSON"));
    String other = write("c.json", "[{\"question\": \"a\"}]").toString();
    assertEquals(
        other + ", entry 1: expected JSON objects: none of the fields [title, text] in [question]",
        refusal("files", List.of(other)));
    Path text = write("d.txt", "x");
    assertEquals(
        folder + " is not empty, and no index of the tool search",
        refusal("files", List.of(text.toString()), "index_folder", folder.toString()));
    assertEquals(
        where + ".top_k: expected an integer from 1 to 100, found '0'",
        refusal("files", List.of(text.toString()), "top_k", 0));
    byte[] latin = {'a', (byte) 0xE4, ' '};
    Files.write(folder.resolve("e.txt"), latin);
    String named = folder.resolve("e.txt").toString();
    assertEquals(named + " is not UTF-8", refusal("files", List.of(named)));
  }

  @Test
  void realQuestionsFindTheirPassages() throws Exception {
    Path data =
        Path.of(Objects.requireNonNull(System.getProperty("roll.root")), "../shared/data/qa");
    Path file = data.resolve("2wiki-passages-first500.json");
    assumeTrue(Files.exists(file), "the passages are not there");
    try (ToolSet set = set("files", List.of(file.toString()))) {
      Map<String, String> titles =
          Map.of(
              "Who was the father of Teutberga?", "1. Teutberga ",
              "When did Lambert, Margrave of Tuscany die?", "1. Lambert, Margrave of Tuscany ",
              "bishop of Elmham Theodred consecration date", "1. Theodred II (Bishop of Elmham) ");
      for (Map.Entry<String, String> title : titles.entrySet()) {
        String found = ask(set, title.getKey());
        assertTrue(found.startsWith(title.getValue()), found);
        assertEquals(3, found.lines().count());
      }
    }
  }
}
