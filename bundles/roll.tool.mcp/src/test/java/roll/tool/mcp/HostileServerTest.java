package roll.tool.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;
import roll.bridge.PeerConnections;
import roll.bridge.ServerEndpoint;
import roll.bridge.mcp.McpSession;
import roll.testkit.TestOptions;

/** Servers that violate the protocol: a run is refused in one line, a call returns an error. */
@Tag("hostile")
@Timeout(60)
class HostileServerTest {
  @AutoClose("deactivate")
  private final McpTool tool = new McpTool();

  private ToolSet set(Map<String, Object> options) {
    return tool.configure(TestOptions.of("tool_config.mcp", options, tool.options()));
  }

  private void refused(Map<String, Object> options) {
    String message = userError(() -> set(options));
    assertTrue(message.startsWith("tool_config.mcp: "), message);
    assertEquals(1, message.lines().count(), message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'tools':[{'name':'a','inputSchema':{'type':'object'}}],'nextCursor':'again'}",
        "{'tools':[],'nextCursor':'again'}",
        "{'tools':[]}",
        "{'tools':[null]}",
        "{'tools':[{'description':'of nothing'}]}",
        "{'tools':[{'name':' ','inputSchema':{'type':'object'}}]}",
        "{'tools':'none'}",
        "{}",
        "7"
      })
  void aListThatHasNoEndOrIsNone(String listing) throws Exception {
    try (TestMcpHttpServer served = new TestMcpHttpServer(0, listing, "")) {
      refused(Map.of("url", served.url(), "timeout", 5));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'content':null}",
        "{'content':[null]}",
        "{'content':[{'type':'text'}]}",
        "{'content':[{'type':'nothing known'}]}",
        "{'content':'text'}",
        "7"
      })
  void anAnswerThatIsNone(String answer) throws Exception {
    try (TestMcpHttpServer served = new TestMcpHttpServer(0, "", answer);
        ToolSet set = set(Map.of("url", served.url(), "timeout", 20));
        ToolSession session = set.open(1)) {
      ToolResult result = session.call("add", Map.of("a", 1L, "b", 2L));
      assertEquals(1, Math.max(1, result.observation().lines().count()));
    }
  }

  @ParameterizedTest
  @CsvSource({"yes", "cat /dev/zero | head -c 1000", "echo {}; sleep 60", "sleep 60", "exit 3"})
  void aProgramThatSpeaksSomethingElse(String program) {
    refused(Map.of("command", "/bin/sh", "args", List.of("-c", program), "timeout", 2));
  }

  @Test
  void aListOfAllToolsAtOnceThatIsTooLong() throws Exception {
    String tools =
        IntStream.range(0, 100_000)
            .mapToObj(i -> "{'name':'t" + i + "','inputSchema':{'type':'object'}}")
            .collect(Collectors.joining(",", "{'tools':[", "]}"));
    try (TestMcpHttpServer served = new TestMcpHttpServer(0, tools, "")) {
      String message = userError(() -> set(Map.of("url", served.url(), "timeout", 20)));
      assertTrue(
          message.endsWith("has a list of tools of more than 100 pages or 1000 tools"), message);
    }
  }

  /** The message of the JDK would contain the value, which may be a key. */
  @ParameterizedTest
  @ValueSource(strings = {"Bearer se\ncret", "Bearer secret\r\n", "\u6f22secret"})
  void aHeaderThatNoneMayHaveIsNamedWithoutItsValue(String value) {
    assertEquals(
        "headers of http://localhost:1/mcp: 'Authorization' is not allowed; expected a header that"
            + " requests may set, with a value of printable Latin-1 characters",
        userError(
            () ->
                set(
                    Map.of(
                        "url",
                        "http://localhost:1/mcp",
                        "headers",
                        Map.of("Authorization", value)))));
  }

  /** Closing does not wait for a server that does not answer. */
  @Test
  void aGoodbyeThatIsNotAnswered() throws Exception {
    try (TestMcpHttpServer served = new TestMcpHttpServer(0, "", "");
        PeerConnections dialogues = new PeerConnections()) {
      served.silent = true;
      Duration patience = Duration.ofSeconds(20);
      ServerEndpoint place = new ServerEndpoint(URI.create(served.url()), Map.of());
      McpSession session = McpSession.open(place, dialogues, patience, patience);
      session.close();
      dialogues.client().shutdown();
      assertTrue(dialogues.client().awaitTermination(Duration.ofSeconds(30)));
    }
  }
}
