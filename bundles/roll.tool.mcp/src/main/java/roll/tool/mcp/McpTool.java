package roll.tool.mcp;

import static roll.api.option.OptionInfo.Type.MAPPING;

import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import roll.api.option.OptionInfo;
import roll.api.option.Options;
import roll.api.option.Suggestion;
import roll.api.option.UserException;
import roll.api.tool.RollTool;
import roll.api.tool.Tool;
import roll.api.tool.ToolSet;

/** The tools of servers that speak the Model Context Protocol. */
@Component(name = "roll.tool.mcp")
@RollTool("mcp")
public final class McpTool implements Tool {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Servers servers = new Servers(PATIENCE);

  @Override
  public String description() {
    return "The tools of any server that speaks the Model Context Protocol (stdio or HTTP).";
  }

  @Override
  public List<OptionInfo> options() {
    List<OptionInfo> options = new ArrayList<>(ServerInfo.options());
    options.add(
        new OptionInfo(
            "servers", MAPPING, null, "several servers by name, each with the options above"));
    return List.copyOf(options);
  }

  @Override
  public ToolSet configure(Options options) {
    List<McpServer> used = new ArrayList<>();
    Map<String, McpTools.Offer> offers = new LinkedHashMap<>();
    try {
      for (Options part : parts(options)) {
        McpServer server = servers.use(ServerInfo.of(part));
        used.add(server);
        offer(part, server, offers);
      }
    } catch (RuntimeException e) {
      used.forEach(servers::release);
      throw e;
    }
    return new McpTools(servers, used, offers);
  }

  private static List<Options> parts(Options options) {
    if (!options.has("servers")) {
      return List.of(options);
    }
    if (options.has("command") || options.has("url")) {
      throw options.wrong("servers", "either servers, or the command or url of one");
    }
    List<Options> parts = List.copyOf(options.parts("servers", ServerInfo.options()).values());
    if (parts.isEmpty()) {
      throw options.wrong("servers", "at least one server");
    }
    return parts;
  }

  private static void offer(Options options, McpServer server, Map<String, McpTools.Offer> offers) {
    List<McpSchema.Tool> tools = tools(options, server);
    List<String> names = tools.stream().map(McpSchema.Tool::name).toList();
    List<String> included = options.has("include") ? options.texts("include") : names;
    for (String name : included) {
      if (!names.contains(name)) {
        throw new UserException(
            options.where()
                + ".include: "
                + server.info().shown()
                + " has no tool '"
                + name
                + "' (it has "
                + String.join(", ", names)
                + ")"
                + Suggestion.near(name, names));
      }
    }
    for (McpSchema.Tool tool : tools) {
      if (included.contains(tool.name())) {
        McpTools.Offer offer =
            new McpTools.Offer(server, tool.name(), Schemas.of(options.text("prefix"), tool));
        if (offers.putIfAbsent(offer.schema().name(), offer) != null) {
          throw new UserException(
              options.where()
                  + ": two tools are called '"
                  + offer.schema().name()
                  + "'; give one server a prefix");
        }
      }
    }
    if (included.isEmpty()) {
      throw new UserException(options.where() + ": " + server.info().shown() + " has no tools");
    }
  }

  private static List<McpSchema.Tool> tools(Options options, McpServer server) {
    try {
      return server.tools();
    } catch (IOException e) {
      throw new UserException(
          options.where() + ": " + server.info().shown() + " cannot be used: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UserException(options.where() + ": interrupted", e);
    }
  }

  /** Ends the servers when their last users have gone. */
  @Deactivate
  void deactivate() {
    servers.close();
  }
}
