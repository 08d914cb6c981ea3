package roll.tool.mcp;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapperSupplier;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator.ValidationResponse;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A server made with the SDK, run as a program: the tools echo, fail, sleep and die. */
final class TestMcpStdioServer {
  private static final McpJsonMapper JSON = new JacksonMcpJsonMapperSupplier().get();

  private TestMcpStdioServer() {}

  /** Serves until its input ends, or a call makes it exit. */
  public static void main(String[] args) {
    McpServer.sync(new StdioServerTransportProvider(JSON))
        .serverInfo("test", "1")
        .jsonMapper(JSON)
        .jsonSchemaValidator((schema, result) -> ValidationResponse.asValid(""))
        .capabilities(McpSchema.ServerCapabilities.builder().tools(true).build())
        .strictToolNameValidation(false)
        .immediateExecution(true) // one after the other: its queue for answers wants that
        .toolCall(tool("echo"), (exchange, call) -> result(call, text -> text, false))
        .toolCall(tool("who am i"), (exchange, call) -> result(call, text -> me(), false))
        .toolCall(tool("fail"), (exchange, call) -> result(call, text -> "no: " + text, true))
        .toolCall(tool("sleep"), (exchange, call) -> result(call, text -> sleep(), false))
        .toolCall(tool("die"), (exchange, call) -> result(call, text -> die(), false))
        .build();
  }

  private static McpSchema.Tool tool(String name) {
    return McpSchema.Tool.builder()
        .name(name)
        .description("Does " + name + ".")
        .inputSchema(
            new McpSchema.JsonSchema(
                "object",
                Map.of("text", Map.of("type", "string")),
                List.of("text"),
                false,
                null,
                null))
        .build();
  }

  private static McpSchema.CallToolResult result(
      McpSchema.CallToolRequest call, Function<String, String> answer, boolean error) {
    String text = answer.apply(String.valueOf(call.arguments().get("text")));
    return McpSchema.CallToolResult.builder()
        .content(List.of(new McpSchema.TextContent(text), new McpSchema.TextContent("end")))
        .isError(error)
        .build();
  }

  private static String me() {
    return ProcessHandle.current().pid() + " " + System.getenv("GREETING");
  }

  private static String sleep() {
    try {
      Thread.sleep(60_000);
      return "slept";
    } catch (InterruptedException e) {
      return "woken";
    }
  }

  private static String die() {
    System.err.println("I die");
    System.err.flush();
    Runtime.getRuntime().halt(3);
    return "";
  }

  /** The options under which this program is the server. */
  static Map<String, Object> options() {
    String java =
        System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
    return Map.of(
        "command",
        java,
        "args",
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            TestMcpStdioServer.class.getName()),
        "env",
        Map.of("GREETING", "hello"));
  }
}
