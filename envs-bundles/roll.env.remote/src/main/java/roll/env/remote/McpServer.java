package roll.env.remote;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import roll.api.env.Scenario.Aggregation;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.bridge.PeerConnections;
import roll.bridge.PeerEndpoint;
import roll.bridge.PeerException;
import roll.bridge.PeerOptions;
import roll.bridge.mcp.McpSession;
import roll.text.Suggestion;

/**
 * Environment of an MCP server: each episode is a session, in which the agent calls tools.
 *
 * @param told arguments of the first tool beside the seed
 * @param tools all tools of the server with their schemas, by name
 * @param offered names of the agent's tools
 * @param begin tool that is called first, if any
 * @param grade tool that is called last, if any
 * @param reward field of the reward in a result
 * @param done field of the end of the episode in a result
 * @param metrics fields of metrics in a result
 * @param turns maximum number of responses
 */
record McpServer(
    PeerConnections connections,
    PeerEndpoint place,
    Duration start,
    Duration patience,
    JsonObject told,
    Map<String, JsonObject> tools,
    Set<String> offered,
    Optional<String> begin,
    Optional<String> grade,
    FieldPath reward,
    FieldPath done,
    List<FieldPath> metrics,
    int turns) {
  /** Metric: whether a response called valid tools. */
  static final String VALID = "action_is_valid";

  /**
   * Connects to the server that {@code options} specify, and lists its tools.
   *
   * @throws UserException if that fails, or a named tool does not exist
   */
  static RemoteScenario of(Options options, PeerConnections connections) {
    Options form = options.get(RemoteOptions.MCP).checked(McpOptions.ALL);
    PeerEndpoint place = RemoteOptions.mcp(options);
    Duration start = PeerOptions.startTimeout(options);
    Duration patience = PeerOptions.timeout(options);
    Map<String, JsonObject> tools = new LinkedHashMap<>();
    try (McpSession session = McpSession.open(place, connections, start, patience)) {
      session.tools().forEach(tool -> tools.put(tool.get("name").getAsString(), tool));
    } catch (PeerException e) {
      throw new UserException(options.where() + ": " + e.getMessage(), e);
    }
    Optional<String> begin = form.find(McpOptions.BEGIN);
    Optional<String> grade = form.find(McpOptions.GRADE);
    begin.ifPresent(name -> check(form, McpOptions.BEGIN, name, tools));
    grade.ifPresent(name -> check(form, McpOptions.GRADE, name, tools));
    Set<String> offered = new LinkedHashSet<>(tools.keySet());
    begin.ifPresent(offered::remove);
    grade.ifPresent(offered::remove);
    if (form.has(McpOptions.TOOLS)) {
      form.get(McpOptions.TOOLS).forEach(name -> check(form, McpOptions.TOOLS, name, tools));
      offered = new LinkedHashSet<>(form.get(McpOptions.TOOLS));
    }
    if (offered.isEmpty()) {
      throw new UserException(options.where() + ": " + place.shown() + " has no tools");
    }
    McpServer world =
        new McpServer(
            connections,
            place,
            start,
            patience,
            RemoteOptions.told(options),
            tools,
            offered,
            begin,
            grade,
            FieldPath.of(form.get(McpOptions.REWARD)),
            FieldPath.of(form.get(McpOptions.DONE)),
            form.get(McpOptions.METRICS).stream().map(FieldPath::of).toList(),
            form.find(McpOptions.TURNS).orElse(Integer.MAX_VALUE));
    return new RemoteScenario(
        () -> new McpEpisode(world),
        world.instruction(form.get(McpOptions.INSTRUCTION)),
        RemoteScenario.ACTION,
        Map.of(VALID, Aggregation.MEAN));
  }

  private static void check(
      Options form, Option<?> option, String name, Map<String, JsonObject> tools) {
    if (!tools.containsKey(name)) {
      throw new UserException(
          "%s.%s: the server has no tool '%s' (it has %s)%s"
              .formatted(
                  form.where(),
                  option.name(),
                  name,
                  String.join(", ", tools.keySet()),
                  Suggestion.near(name, tools.keySet())));
    }
  }

  /** Opens a session with the MCP server. */
  McpSession open() {
    return McpSession.open(place, connections, start, patience);
  }

  /** Whether the tool {@code name} has a parameter {@code parameter}. */
  boolean takes(String name, String parameter) {
    JsonObject tool = tools.getOrDefault(name, new JsonObject());
    return FieldPath.of("inputSchema.properties." + parameter).in(tool) != null;
  }

  private String instruction(String task) {
    StringBuilder told = new StringBuilder(task.isEmpty() ? "" : task + "\n\n");
    told.append("You act by calling tools. A call is written like this:\n")
        .append("<tool_call>\n{\"name\": \"…\", \"arguments\": {…}}\n</tool_call>\n")
        .append("A response without a call is your final answer. The tools are:");
    for (String name : offered) {
      JsonObject tool = new JsonObject();
      for (String key : List.of("name", "description", "inputSchema")) {
        if (tools.getOrDefault(name, tool).has(key)) {
          tool.add(
              key.equals("inputSchema") ? "parameters" : key,
              tools.getOrDefault(name, tool).get(key));
        }
      }
      told.append('\n').append(tool);
    }
    return told.toString();
  }
}
