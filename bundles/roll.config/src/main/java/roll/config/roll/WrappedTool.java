package roll.config.roll;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.tree.YamlTree;

/**
 * A tool of ROLL's {@code tool_configs}, with this project's names.
 *
 * @param agentType how the policy calls it
 * @param name of the tool
 * @param options of the tool
 * @param notices lines for the user
 */
record WrappedTool(
    String agentType, String name, Map<String, @Nullable Object> options, List<String> notices) {
  private static final String ARGS = "custom_envs.*.tool_wrapper.tool_configs.tool_args.";

  /**
   * A kind of tool in ROLL's {@code tool_configs}.
   *
   * @param renamed our names of arguments by theirs
   * @param idle arguments that do nothing here
   * @param why they do nothing
   * @param required an argument that must be there, or empty
   * @param line said of every such tool, or empty
   */
  private record Kind(
      String agentType,
      String name,
      Map<String, String> renamed,
      List<String> idle,
      String why,
      String required,
      String line) {}

  private static final Map<String, Kind> KINDS =
      Map.of(
          "python_code",
          new Kind(
              "code",
              "code_interpreter",
              Map.of("timeout", "time_limit"),
              List.of("sandbox_type", "keep_error_last_line"),
              "every program runs in a sandbox, and its last error line is returned",
              "",
              ""),
          "mcp",
          new Kind(
              "hf",
              "mcp",
              Map.of("server_url", "url", "tool_names_subset", "include"),
              List.of("num_workers", "custom_prompt"),
              "all episodes share a server, and the chat template lists its tools",
              "server_url",
              "tool_id mcp is read as the tool mcp, over streamable HTTP instead of SSE; the chat"
                  + " template says how it is called"),
          "search",
          new Kind(
              "hf",
              "search",
              Map.of("search_url", "url", "topk", "top_k", "timeout", "timeout"),
              List.of("num_workers"),
              "requests are not counted",
              "search_url",
              "tool_id search is read as the tool search with a url; the chat template says how it"
                  + " is called"));

  /**
   * Reads the tool {@code id} of ROLL's {@code tool_configs}.
   *
   * @param wrong makes the complaint about a problem
   * @throws UserException if there is no such tool or argument
   */
  static WrappedTool of(
      @Nullable Object id,
      Map<String, @Nullable Object> args,
      Function<String, UserException> wrong) {
    Kind kind = KINDS.get(String.valueOf(id));
    if (kind == null) {
      throw wrong.apply(
          "tool_id: expected one of %s, found %s; for other tools name custom_envs.<tag>.agent.tools"
              .formatted(String.join(", ", new TreeSet<>(KINDS.keySet())), YamlTree.shown(id)));
    }
    if (!kind.required.isEmpty() && args.get(kind.required) == null) {
      throw wrong.apply("tool_args.%s of %s is missing".formatted(kind.required, id));
    }
    Map<String, @Nullable Object> options = new LinkedHashMap<>();
    List<String> notices = new ArrayList<>();
    if (!kind.line.isEmpty()) {
      notices.add("custom_envs.*.tool_wrapper: " + kind.line);
    }
    args.forEach(
        (name, value) -> {
          String ours = kind.renamed.get(name);
          if (ours != null) {
            options.put(ours, value);
          } else if (kind.idle.contains(name)) {
            notices.add("key '%s%s' has no effect here: %s".formatted(ARGS, name, kind.why));
          } else {
            TreeSet<String> known = new TreeSet<>(kind.renamed.keySet());
            known.addAll(kind.idle);
            throw wrong.apply(
                "tool_args.%s of %s is not known (allowed: %s)"
                    .formatted(name, id, String.join(", ", known)));
          }
        });
    return new WrappedTool(kind.agentType, kind.name, options, List.copyOf(notices));
  }
}
