package roll.tool.mcp;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.bridge.PeerEndpoint;
import roll.bridge.PeerException;
import roll.bridge.ProgramCommand;
import roll.bridge.ProgramLimits;
import roll.bridge.ServerEndpoint;
import roll.bridge.mcp.McpSession;
import roll.remote.WebAddress;

/**
 * Configuration of a server; equal configurations share it.
 *
 * @param timeout timeout of its start and of every answer
 */
record McpServerConfig(PeerEndpoint place, Duration timeout) {
  private static final Option<String> COMMAND =
      Option.text("command", "program that implements MCP over its standard input and output");
  private static final Option<List<String>> ARGS =
      Option.list("args", "its arguments").withDefault(List.of());
  private static final Option<Map<String, String>> ENV =
      Option.mapping("env", "environment variables beside `PATH`, `HOME` and others")
          .withDefault(Map.of());
  private static final Option<String> URL =
      Option.text("url", "address of a server with streamable HTTP; default path `/mcp`");
  private static final Option<Map<String, String>> HEADERS =
      Option.mapping("headers", "headers of every request").withDefault(Map.of());
  private static final Option<Double> TIMEOUT =
      Option.number("timeout", 0.1, 86_400, "seconds for its start and for every answer")
          .withDefault(30.0);

  /** Option: names of the used tools. */
  static final Option<List<String>> INCLUDE =
      Option.list("include", "names of the tools that are used");

  /** Option: prefix of the names of the server's tools. */
  static final Option<String> PREFIX =
      Option.text("prefix", "prefix of the names of its tools").withDefault("");

  /** All options of an MCP server. */
  static final List<Option<?>> OPTIONS =
      List.of(COMMAND, ARGS, ENV, URL, HEADERS, INCLUDE, PREFIX, TIMEOUT);

  /** Whether {@code options} specify an MCP server. */
  static boolean isIn(Options options) {
    return options.has(COMMAND) || options.has(URL);
  }

  /**
   * Returns the MCP server of {@code options}.
   *
   * @throws roll.api.option.UserException if they specify none or two
   */
  static McpServerConfig of(Options options) {
    if (options.has(COMMAND) == options.has(URL)) {
      throw options.wrong(COMMAND, "either a command or a url");
    }
    return new McpServerConfig(
        options.has(URL) ? address(options) : program(options),
        Duration.ofMillis((long) (1e3 * options.get(TIMEOUT))));
  }

  private static PeerEndpoint program(Options options) {
    List<String> command = new ArrayList<>(List.of(options.get(COMMAND)));
    command.addAll(options.get(ARGS));
    return new ProgramCommand(
        options.get(COMMAND), command, null, options.get(ENV), ProgramLimits.NONE);
  }

  private static PeerEndpoint address(Options options) {
    URI url =
        WebAddress.of(options.get(URL))
            .orElseThrow(() -> options.wrong(URL, "an address such as http://localhost:3000/mcp"));
    return McpSession.address(new ServerEndpoint(url, options.get(HEADERS)));
  }

  /** Name for messages, without arguments, variables and headers, which may be secret. */
  String shown() {
    return "the server " + place.shown();
  }

  /** Returns the message of a failure without the name of the server. */
  String why(PeerException failure) {
    String said = String.valueOf(failure.getMessage());
    return said.startsWith(place.shown()) ? "it" + said.substring(place.shown().length()) : said;
  }
}
