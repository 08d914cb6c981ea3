package roll.tool.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;
import roll.testkit.TestHttpServer;
import roll.testkit.TestOptions;

/** The tool with a fake of Search-R1's retrieval server. */
class RetrievalServerTest {
  private final SearchTool tool = new SearchTool();
  @AutoClose private final TestHttpServer server = new TestHttpServer("/retrieve", "");

  RetrievalServerTest() throws IOException {}

  private ToolResult ask(String query) throws InterruptedException {
    Map<String, Object> options =
        Map.of("url", server.address() + "/retrieve", "top_k", 2, "snippet_length", 20);
    try (ToolSet set = configured(options);
        ToolSession session = set.open(1)) {
      return session.call("search", Map.of("query", query));
    }
  }

  private ToolSet configured(Map<String, Object> options) {
    return tool.configure(TestOptions.of("tool_config.search", options, tool.options()));
  }

  @Test
  void passagesAreNumberedAndShortened() throws Exception {
    server.answers(
        200,
        """
        {"result": [[{"document": {"contents": "\\"Lothair\\"\\nking of"}, "score": 0.9},
                     {"contents": "a passage that has no score at all"},
                     {"document": {"contents": "too many"}}]]}
        """);
    ToolResult result = ask("who \"is\"?");
    assertEquals(ToolResult.Status.SUCCESS, result.status());
    assertEquals("1. \"Lothair\" king of\n2. a passage that has n…", result.observation());
    assertEquals(
        "{\"queries\":[\"who \\\"is\\\"?\"],\"topk\":2,\"return_scores\":true,\"query\":\"who"
            + " \\\"is\\\"?\",\"top_k\":2}",
        server.bodies().getLast());
  }

  @Test
  void theServerOfAgentFlyAnswersOneQuery() throws Exception {
    server.answers(
        200,
        """
        {"results": [{"contents": "Lothair", "score": 1}, {"contents": "king"}, {"contents": "no"}]}
        """);
    assertEquals("1. Lothair\n2. king", ask("who?").observation());
    server.answers(200, "{\"results\": []}");
    assertEquals(SearchTools.NOTHING, ask("who?").observation());
    server.answers(200, "{\"results\": {}}");
    assertEquals(ToolResult.Status.ERROR, ask("who?").status());
  }

  @Test
  void anEmptyResultIsReported() throws Exception {
    server.answers(200, "{\"result\": [[]]}");
    assertEquals(SearchTools.NOTHING, ask("x").observation());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"result\": []}",
        "{\"result\": [3]}",
        "{\"result\": [[3]]}",
        "{\"result\": [[{\"document\": 3}]]}"
      })
  void whatIsNoAnswerIsAnError(String wrong) throws Exception {
    server.answers(200, wrong);
    ToolResult result = ask("x");
    assertEquals(ToolResult.Status.ERROR, result.status());
    assertTrue(result.observation().contains("answered something else"), result.observation());
  }

  @Test
  void filesOrAnAddressAreNeeded() {
    assertTrue(refused(Map.of()).contains("at least one file, or the url"));
    assertTrue(refused(Map.of("url", "nowhere")).contains("begins with http"));
    assertTrue(
        refused(Map.of("url", "http://here", "files", List.of("a.txt"))).contains("beside url"));
  }

  private String refused(Map<String, Object> options) {
    return userError(() -> configured(options));
  }
}
