package roll.tool.mcp;

import static roll.api.option.OptionInfo.Type.LIST;
import static roll.api.option.OptionInfo.Type.MAPPING;
import static roll.api.option.OptionInfo.Type.NUMBER;
import static roll.api.option.OptionInfo.Type.TEXT;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.OptionInfo;
import roll.api.option.Options;
import roll.remote.WebAddress;

/**
 * Where a server is; equal ones are one server.
 *
 * @param command a program that speaks over its standard input and output, or null
 * @param env variables of that program, beside a few harmless ones of this process
 * @param url where it speaks HTTP, or null
 * @param headers of every request
 * @param timeout for its start and for every answer
 */
record ServerInfo(
    @Nullable String command,
    List<String> args,
    Map<String, String> env,
    @Nullable URI url,
    Map<String, String> headers,
    Duration timeout) {

  /** What may be said of a server. */
  static List<OptionInfo> options() {
    return List.of(
        new OptionInfo("command", TEXT, null, "program that speaks MCP over stdin and stdout"),
        new OptionInfo("args", LIST, List.of(), "its arguments"),
        new OptionInfo("env", MAPPING, Map.of(), "its environment variables"),
        new OptionInfo("url", TEXT, null, "address of a server that speaks streamable HTTP"),
        new OptionInfo("headers", MAPPING, Map.of(), "headers of every request"),
        new OptionInfo("include", LIST, null, "names of the tools that are used; absent, all"),
        new OptionInfo("prefix", TEXT, "", "put before the names of its tools"),
        new OptionInfo("timeout", NUMBER, 30, "seconds for its start and for every answer"));
  }

  /**
   * The server that {@code options} name.
   *
   * @throws roll.api.option.UserException if they name none or two
   */
  static ServerInfo of(Options options) {
    if (options.has("command") == options.has("url")) {
      throw options.wrong("command", "either a command or a url");
    }
    Duration timeout = Duration.ofMillis((long) (1e3 * options.number("timeout", 0.1, 86_400)));
    return new ServerInfo(
        options.has("command") ? options.text("command") : null,
        options.texts("args"),
        options.mapping("env"),
        options.has("url") ? address(options) : null,
        options.mapping("headers"),
        timeout);
  }

  private static URI address(Options options) {
    return WebAddress.of(options.text("url"))
        .orElseThrow(() -> options.wrong("url", "an address such as http://localhost:3000/mcp"));
  }

  /** The server for messages: without arguments, variables and headers, which may hold secrets. */
  String shown() {
    return "the server " + (command != null ? command : String.valueOf(url));
  }
}
