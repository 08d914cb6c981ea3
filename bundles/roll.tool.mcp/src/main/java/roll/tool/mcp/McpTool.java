package roll.tool.mcp;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.RawOptions;
import roll.api.option.UserException;
import roll.api.tool.RollTool;
import roll.api.tool.Tool;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSet;
import roll.bridge.PeerException;
import roll.bridge.SharedResources;
import roll.text.Suggestion;

/** Tools of servers that implement the Model Context Protocol. */
@Component(name = "roll.tool.mcp")
@RollTool("mcp")
public final class McpTool implements Tool {
  private static final Option<RawOptions> SERVERS =
      Option.nested("servers", "several servers by name, each with the options above");
  private static final List<Option<?>> OPTIONS =
      Stream.concat(McpServerConfig.OPTIONS.stream(), Stream.of(SERVERS)).toList();
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final SharedResources<McpServerConfig, McpServer> servers =
      new SharedResources<>(PATIENCE, McpServer::new, McpServer::close);

  @Override
  public String description() {
    return "The tools of any server that speaks the Model Context Protocol (stdio or HTTP).";
  }

  @Override
  public List<Option<?>> options() {
    return OPTIONS;
  }

  @Override
  public ToolSet configure(Options options) {
    List<McpServer> used = new ArrayList<>();
    Map<String, McpTools.Offer> offers = new LinkedHashMap<>();
    try {
      for (Options part : parts(options)) {
        McpServer server = servers.use(McpServerConfig.of(part));
        used.add(server);
        offer(part, server, offers);
      }
    } catch (RuntimeException e) {
      used.forEach(server -> servers.release(server.info()));
      throw e;
    }
    return new McpTools(servers, used, offers);
  }

  private static List<Options> parts(Options options) {
    if (!options.has(SERVERS)) {
      return List.of(options);
    }
    if (McpServerConfig.isIn(options)) {
      throw options.wrong(SERVERS, "either servers, or the command or url of one");
    }
    List<Options> parts =
        options.get(SERVERS).parts().values().stream()
            .map(part -> part.checked(McpServerConfig.OPTIONS))
            .toList();
    if (parts.isEmpty()) {
      throw options.wrong(SERVERS, "at least one server");
    }
    return parts;
  }

  private static void offer(Options options, McpServer server, Map<String, McpTools.Offer> offers) {
    List<JsonObject> tools = tools(options, server);
    List<String> names = tools.stream().map(McpTool::name).toList();
    List<String> included = options.find(McpServerConfig.INCLUDE).orElse(names);
    for (String name : included) {
      if (!names.contains(name)) {
        throw new UserException(
            "%s.%s: %s has no tool '%s' (it has %s)%s"
                .formatted(
                    options.where(),
                    McpServerConfig.INCLUDE.name(),
                    server.info().shown(),
                    name,
                    String.join(", ", names),
                    Suggestion.near(name, names)));
      }
    }
    for (JsonObject tool : tools) {
      if (included.contains(name(tool))) {
        ToolSchema schema = ToolSchemas.of(options.get(McpServerConfig.PREFIX), tool);
        McpTools.Offer offer = new McpTools.Offer(server, name(tool), schema);
        if (offers.putIfAbsent(schema.name(), offer) != null) {
          throw new UserException(
              "%s: two tools are called '%s'; give one server a prefix"
                  .formatted(options.where(), schema.name()));
        }
      }
    }
    if (included.isEmpty()) {
      throw new UserException(options.where() + ": " + server.info().shown() + " has no tools");
    }
  }

  private static String name(JsonObject tool) {
    return tool.get("name").getAsString();
  }

  private static List<JsonObject> tools(Options options, McpServer server) {
    try {
      return server.tools();
    } catch (PeerException e) {
      throw new UserException(
          "%s: %s cannot be used: %s"
              .formatted(options.where(), server.info().shown(), server.info().why(e)),
          e);
    }
  }

  /** Ends the servers after their last use. */
  @Deactivate
  void deactivate() {
    servers.close();
  }
}
