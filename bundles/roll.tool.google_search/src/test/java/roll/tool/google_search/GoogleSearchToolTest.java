package roll.tool.google_search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.api.tool.Tool;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;
import roll.testkit.TestHttpServer;
import roll.testkit.TestOptions;
import roll.testkit.ToolContract;

/** The tool with a real server on this machine that records requests. */
class GoogleSearchToolTest {
  private static final String RESULTS =
      "{\"organic\": [{\"title\": \"A\", \"snippet\": \"first\\nline\"}, {\"title\": \"B\"},"
          + " {\"snippet\": \"third\"}, {\"title\": \"D\", \"snippet\": \"fourth\"}]}";

  private final GoogleSearchTool tool = new GoogleSearchTool(name -> Optional.empty());
  private final TestHttpServer server = new TestHttpServer("/search", RESULTS);

  @TempDir Path folder = Path.of("");

  GoogleSearchToolTest() throws IOException {}

  @AfterEach
  void end() {
    tool.deactivate();
    server.close();
  }

  private String url() {
    return server.address() + "/search";
  }

  private List<String> asked() {
    return server.bodies().stream()
        .map(body -> JsonParser.parseString(body).getAsJsonObject().get("q").getAsString())
        .toList();
  }

  private List<String> keys() {
    return server.headers("X-API-KEY");
  }

  private Map<String, Object> with(Object... options) {
    Map<String, Object> given =
        new HashMap<>(Map.of("base_url", url(), "api_key", "k1", "retry_delay", 0.001));
    for (int i = 0; i < options.length; i += 2) {
      given.put((String) options[i], options[i + 1]);
    }
    return given;
  }

  private static ToolSet set(Tool tool, Map<String, Object> options) {
    return tool.configure(TestOptions.of("tool_config.google_search", options, tool.options()));
  }

  private static ToolResult ask(ToolSet set, String query) throws InterruptedException {
    try (ToolSession session = set.open(1)) {
      return session.call("google_search", Map.of("query", query));
    }
  }

  @Test
  void theFirstResultsAreReturned() throws Exception {
    try (ToolSet set = set(tool, with())) {
      assertEquals(ToolResult.of("1. A first line\n2. B\n3. third"), ask(set, " where  is\nit "));
    }
    assertEquals(List.of("where is it"), asked());
    assertEquals(List.of("k1"), keys());
  }

  @Test
  void anAnswerBoxComesFirst() throws Exception {
    String organic = RESULTS.substring(1);
    server.answers(200, "{\"answerBox\": {\"answer\": \"42\"}, " + organic);
    try (ToolSet set = set(tool, with())) {
      assertEquals("42", ask(set, "a").observation());
      server.answers(200, "{\"answerBox\": {\"title\": \"T\", \"snippet\": \"so\"}}");
      assertEquals("so", ask(set, "b").observation());
      server.answers(200, "{\"answerBox\": {}, \"organic\": []}");
      assertEquals("Nothing was found; try other words.", ask(set, "c").observation());
    }
  }

  @Test
  void aQueryIsSentOnceHoweverManyAsk() throws Exception {
    try (ToolSet set = set(tool, with())) {
      List<Callable<ToolResult>> asks = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        asks.add(() -> ask(set, "same"));
      }
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        threads.invokeAll(asks);
      }
    }
    try (ToolSet later = set(tool, with())) {
      ToolResult again = ask(later, "same");
      assertEquals(ToolResult.Status.SUCCESS, again.status());
    }
    assertEquals(List.of("same"), asked());
  }

  @Test
  void answersAreKeptInAFile() throws Exception {
    Path file = folder.resolve("deep/answers.jsonl");
    Map<String, Object> options = with("cache_file", file.toString());
    ask(set(tool, options), "one");
    Files.writeString(file, Files.readString(file) + "{\"query\": \"cut o");
    for (String query : List.of("two", "three")) {
      GoogleSearchTool other = new GoogleSearchTool(name -> Optional.empty());
      ToolSet set = set(other, options);
      assertEquals("1. A first line\n2. B\n3. third", ask(set, "one").observation());
      ask(set, query);
      other.deactivate();
    }
    assertEquals(List.of("one", "two", "three"), asked());
    String wrong = Files.writeString(folder.resolve("wrong"), "a: 1\n").toString();
    assertEquals(
        wrong + ":1: no answer kept by google_search",
        userError(() -> set(tool, with("cache_file", wrong))));
    assertEquals(4, Files.readAllLines(file).size());
    assertFalse(Files.readString(file).contains("k1"));
  }

  @Test
  void errorsAreReturnedAndNotCached() throws Exception {
    server.answers(500, "");
    try (ToolSet set = set(tool, with("max_retries", 1))) {
      assertEquals(
          ToolResult.error("Error: the search engine answered 500, 2 times."), ask(set, "a"));
      server.answers(403, "k1");
      assertEquals(ToolResult.error("Error: the search engine answered 403."), ask(set, "a"));
      server.answers(200, "<html>");
      assertEquals(ToolResult.Status.ERROR, ask(set, "a").status());
      assertEquals(ToolResult.error("Error: the query is empty."), ask(set, " \n"));
      server.answers(200, RESULTS);
      assertEquals(ToolResult.Status.SUCCESS, ask(set, "a").status());
      server.close();
      assertEquals(
          ToolResult.error("Error: the search engine could not be reached, 2 times."),
          ask(set, "b"));
    }
  }

  @Test
  void keyAndAddressMayComeFromTheEnvironment() throws Exception {
    Map<String, String> variables = Map.of("SERPER_API_KEY", "k2", "GOOGLE_SEARCH_BASE_URL", url());
    GoogleSearchTool other = new GoogleSearchTool(name -> Optional.ofNullable(variables.get(name)));
    assertEquals(ToolResult.Status.SUCCESS, ask(set(other, Map.of()), "a").status());
    assertEquals(List.of("k2"), keys());
    other.deactivate();
  }

  @Test
  void mistakesAreNamed() {
    assertEquals(
        "tool_config.google_search.api_key is required where SERPER_API_KEY is not set",
        userError(() -> set(tool, Map.of())));
    UserException spaces =
        assertThrows(UserException.class, () -> set(tool, with("api_key", "a b")));
    assertEquals(
        "tool_config.google_search.api_key: expected a text without spaces, found '…'",
        spaces.getMessage());
    String here = userError(() -> set(tool, with("base_url", "x")));
    assertTrue(here.endsWith(", found 'x'"), here);
  }

  @Nested
  class Contract extends ToolContract {
    @Override
    protected Tool tool() {
      return tool;
    }

    @Override
    protected Map<String, Object> options() {
      return with();
    }
  }
}
