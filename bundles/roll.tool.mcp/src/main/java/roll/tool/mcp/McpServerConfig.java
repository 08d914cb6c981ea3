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
 * Where a server is; equal ones are one server.
 *
 * @param timeout for its start and for every answer
 */
record McpServerConfig(PeerEndpoint place, Duration timeout) {
  private static final Option<String> COMMAND =
      Option.text("command", "program that speaks MCP over its standard input and output");
  private static final Option<List<String>> ARGS =
      Option.list("args", "its arguments").withDefault(List.of());
  private static final Option<Map<String, String>> ENV =
      Option.mapping("env", "its environment variables, beside `PATH`, `HOME` and the like")
          .withDefault(Map.of());
  private static final Option<String> URL =
      Option.text("url", "address of a server that speaks streamable HTTP; without a path `/mcp`");
  private static final Option<Map<String, String>> HEADERS =
      Option.mapping("headers", "headers of every request").withDefault(Map.of());
  private static final Option<Double> TIMEOUT =
      Option.number("timeout", 0.1, 86_400, "seconds for its start and for every answer")
          .withDefault(30.0);

  /** Which of its tools are used. */
  static final Option<List<String>> INCLUDE =
      Option.list("include", "names of the tools that are used");

  /** What tells its tools from those of others. */
  static final Option<String> PREFIX =
      Option.text("prefix", "put before the names of its tools").withDefault("");

  /** What may be said of a server. */
  static final List<Option<?>> OPTIONS =
      List.of(COMMAND, ARGS, ENV, URL, HEADERS, INCLUDE, PREFIX, TIMEOUT);

  /** Whether {@code options} name a server. */
  static boolean isIn(Options options) {
    return options.has(COMMAND) || options.has(URL);
  }

  /**
   * The server that {@code options} name.
   *
   * @throws roll.api.option.UserException if they name none or two
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

  /** The server for messages: without arguments, variables and headers, which may hold secrets. */
  String shown() {
    return "the server " + place.shown();
  }

  /** What a failure says of it, beside its name. */
  String why(PeerException failure) {
    String said = String.valueOf(failure.getMessage());
    return said.startsWith(place.shown()) ? "it" + said.substring(place.shown().length()) : said;
  }
}
