package roll.tool.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.tool.Tool;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;
import roll.bridge.SharedResources;
import roll.testkit.TestOptions;
import roll.testkit.ToolContract;

/** Servers in processes: one that uses the SDK over stdio, and one over HTTP without it. */
@Tag("processes")
@Timeout(120)
class McpToolTest {
  @AutoClose("deactivate")
  private final McpTool tool = new McpTool();

  private ToolSet set(Map<String, Object> options) {
    return tool.configure(TestOptions.of("tool_config.mcp", options, tool.options()));
  }

  private String refusal(Map<String, Object> options) {
    return userError(() -> set(options));
  }

  private static Map<String, Object> with(Map<String, Object> options, Object... more) {
    Map<String, Object> all = new HashMap<>(options);
    for (int i = 0; i < more.length; i += 2) {
      all.put((String) more[i], more[i + 1]);
    }
    return all;
  }

  private static List<String> names(ToolSet set) {
    return set.tools().stream().map(ToolSchema::name).toList();
  }

  @Test
  void aProgramIsAsked() throws Exception {
    try (ToolSet set = set(with(TestMcpStdioServer.options(), "prefix", "t_"));
        ToolSession session = set.open(1)) {
      assertEquals(List.of("t_echo", "t_who_am_i", "t_fail", "t_sleep", "t_die"), names(set));
      ToolSchema echo = set.tools().getFirst();
      assertEquals("Does echo.", echo.description());
      assertEquals(List.of("text"), echo.required());
      assertEquals(Map.of("text", Map.of("type", "string")), echo.properties());
      assertEquals(
          ToolResult.of("ünd 漢字\n\"x\"\nend"),
          session.call("t_echo", Map.of("text", "ünd 漢字\n\"x\"")));
      assertEquals(ToolResult.error("no: a\nend"), session.call("t_fail", Map.of("text", "a")));
    }
  }

  /** Concurrent calls, as those of the episodes of a rollout. */
  @Test
  void aProgramIsAskedByManyAtOnce() throws Exception {
    try (ToolSet set = set(TestMcpStdioServer.options());
        ExecutorService episodes = Executors.newVirtualThreadPerTaskExecutor()) {
      CountDownLatch start = new CountDownLatch(1);
      List<Future<List<String>>> heard = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        String name = "episode " + i;
        heard.add(
            episodes.submit(
                () -> {
                  List<String> answers = new ArrayList<>();
                  start.await();
                  try (ToolSession session = set.open(1)) {
                    for (int call = 0; call < 5; call++) {
                      Map<String, Object> text = Map.of("text", name + " call " + call);
                      answers.add(session.call("echo", text).observation());
                    }
                  }
                  return answers;
                }));
      }
      start.countDown();
      for (int i = 0; i < heard.size(); i++) {
        String name = "episode " + i;
        assertEquals(
            IntStream.range(0, 5).mapToObj(call -> name + " call " + call + "\nend").toList(),
            heard.get(i).get());
      }
    }
  }

  @Test
  void aProgramThatDiesIsStartedAgain() throws Exception {
    try (ToolSet set =
            set(with(TestMcpStdioServer.options(), "include", List.of("who am i", "die")));
        ToolSession session = set.open(1)) {
      String before = session.call("who_am_i", Map.of("text", "")).observation();
      assertTrue(before.endsWith(" hello\nend"), before);
      ToolResult dead = session.call("die", Map.of("text", ""));
      assertEquals(ToolResult.Status.ERROR, dead.status());
      assertTrue(
          dead.observation().endsWith(": it ended with status 3; its last words: I die"),
          dead.observation());
      ToolResult after = session.call("who_am_i", Map.of("text", ""));
      assertEquals(ToolResult.Status.SUCCESS, after.status());
      assertNotEquals(before, after.observation());
    }
  }

  /** All waiting calls fail with the same message; later calls use a new process. */
  @Test
  void aProgramThatDiesIsToldToAllWhoWait() throws Exception {
    try (ExecutorService episodes = Executors.newVirtualThreadPerTaskExecutor();
        ToolSet set = set(with(TestMcpStdioServer.options(), "include", List.of("echo", "die")))) {
      List<Future<ToolResult>> heard = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        String tool = i == 30 ? "die" : "echo";
        heard.add(
            episodes.submit(
                () -> {
                  try (ToolSession session = set.open(1)) {
                    return session.call(tool, Map.of("text", "a"));
                  }
                }));
      }
      int failed = 0;
      for (Future<ToolResult> each : heard) {
        ToolResult result = each.get();
        if (result.status() == ToolResult.Status.SUCCESS) {
          assertEquals("a\nend", result.observation());
        } else {
          failed++;
          assertTrue(
              result.observation().contains(": it ended with status 3"), result.observation());
        }
      }
      assertTrue(failed > 0);
    }
  }

  @Test
  void aCallThatTakesTooLongIsAnError() throws Exception {
    try (ToolSet set = set(with(TestMcpStdioServer.options(), "timeout", 6.5));
        ToolSession session = set.open(1)) {
      ToolResult late = session.call("sleep", Map.of("text", ""));
      assertEquals(ToolResult.Status.ERROR, late.status());
      assertTrue(
          late.observation().contains(": it has not answered for 6.5 s"), late.observation());
      assertEquals("a\nend", session.call("echo", Map.of("text", "a")).observation());
    }
  }

  private static SharedResources<McpServerConfig, McpServer> servers(Duration patience) {
    return new SharedResources<>(patience, McpServer::new, McpServer::close);
  }

  @Test
  void oneProgramServesAllRolloutsUntilNobodyNeedsIt() throws Exception {
    SharedResources<McpServerConfig, McpServer> servers = servers(Duration.ofMillis(1));
    McpServerConfig info =
        McpServerConfig.of(
            TestOptions.of("x", TestMcpStdioServer.options(), McpServerConfig.OPTIONS));
    McpServer first = servers.use(info);
    assertSame(first, servers.use(info));
    ToolResult told = first.call("who am i", Map.of("text", ""));
    long pid = Long.parseLong(told.observation().split(" ", 2)[0]);
    servers.release(info);
    assertEquals(1, servers.size());
    servers.release(info);
    ProcessHandle.of(pid).ifPresent(process -> process.onExit().join());
    assertEquals(0, servers.size());
    assertEquals(ToolResult.Status.ERROR, first.call("echo", Map.of("text", "a")).status());
  }

  @Test
  void aServiceThatGoesEndsItsPrograms() throws Exception {
    SharedResources<McpServerConfig, McpServer> servers = servers(Duration.ofDays(1));
    McpServerConfig info =
        McpServerConfig.of(
            TestOptions.of("x", TestMcpStdioServer.options(), McpServerConfig.OPTIONS));
    McpServer server = servers.use(info);
    String told = server.call("who am i", Map.of("text", "")).observation();
    servers.close();
    assertEquals(1, servers.size());
    servers.release(info);
    ProcessHandle.of(Long.parseLong(told.split(" ", 2)[0]))
        .ifPresent(process -> process.onExit().join());
    assertEquals(0, servers.size());
  }

  @Test
  void aServerOfHttpIsAsked() throws Exception {
    TestMcpHttpServer served = new TestMcpHttpServer(0);
    int port = served.port();
    try (ToolSet set =
            set(Map.of("url", served.url(), "headers", Map.of("X-Key", "k1"), "timeout", 20));
        ToolSession session = set.open(1)) {
      assertEquals(List.of("add", "broken"), names(set));
      assertEquals(Map.of(), set.tools().get(1).properties());
      assertEquals("broken", set.tools().get(1).description());
      assertEquals(
          ToolResult.of("5.5\n[image, image/png]"), session.call("add", Map.of("a", 2L, "b", 3.5)));
      ToolResult broken = session.call("broken", Map.of());
      assertEquals(ToolResult.error("Error: it is broken"), broken);
      assertTrue(served.keys.stream().allMatch("k1"::equals), served.keys::toString);
      assertEquals(1, served.methods.stream().filter("initialize"::equals).count());
      served.close();
      assertEquals(ToolResult.Status.ERROR, session.call("add", Map.of("a", 1L, "b", 1L)).status());
      served = new TestMcpHttpServer(port);
      assertEquals(
          "2.0\n[image, image/png]", session.call("add", Map.of("a", 1L, "b", 1L)).observation());
    } finally {
      served.close();
    }
  }

  @Test
  void severalServersAreOneSet() throws Exception {
    try (TestMcpHttpServer served = new TestMcpHttpServer(0)) {
      Map<String, Object> one = Map.of("url", served.url());
      Map<String, Object> other = with(one, "prefix", "b.", "include", List.of("add"));
      try (ToolSet set = set(Map.of("servers", Map.of("a", one, "b", other)));
          ToolSession session = set.open(1)) {
        assertEquals(3, set.tools().size());
        assertTrue(session.call("b.add", Map.of("a", 1L, "b", 2L)).observation().startsWith("3.0"));
      }
      assertTrue(
          refusal(Map.of("servers", Map.of("a", one, "b", with(one, "include", List.of("add")))))
              .endsWith(": two tools are called 'add'; give one server a prefix"));
      assertEquals(
          "tool_config.mcp.include: the server "
              + served.url()
              + " has no tool 'ad' (it has add, broken); did you mean 'add'?",
          refusal(with(one, "include", List.of("ad"))));
    }
  }

  @Test
  void mistakesAreNamed() {
    assertEquals(
        "tool_config.mcp.command: expected either a command or a url, found 'null'",
        refusal(Map.of()));
    assertEquals(
        "tool_config.mcp.servers.a: unknown key 'comand' (allowed: command, args, env, url,"
            + " headers, include, prefix, timeout); did you mean 'command'?",
        refusal(Map.of("servers", Map.of("a", Map.of("comand", "x")))));
    assertEquals(
        "tool_config.mcp.servers.a: expected mapping, found 'x'",
        refusal(Map.of("servers", Map.of("a", "x"))));
    assertEquals(
        "tool_config.mcp.url: expected an address such as http://localhost:3000/mcp, found 'here'",
        refusal(Map.of("url", "here")));
    String none = refusal(Map.of("command", "/no/such/program"));
    assertTrue(
        none.startsWith("tool_config.mcp: the server /no/such/program cannot be used: "), none);
    assertFalse(none.contains("\n"), none);
    String dead = refusal(Map.of("command", "/bin/sh", "args", List.of("-c", "echo oh >&2")));
    assertTrue(dead.endsWith("cannot be used: it ended with status 0; its last words: oh"), dead);
  }

  @Nested
  class Contract extends ToolContract {
    @Override
    protected Tool tool() {
      return tool;
    }

    @Override
    protected Map<String, Object> options() {
      return with(TestMcpStdioServer.options(), "include", List.of("echo", "fail"));
    }

    @Override
    protected int calls() {
      return 60;
    }
  }
}
