package roll.env.remote;

import java.util.List;
import roll.api.option.Option;

/** Options of environments of type {@code mcp}. */
final class McpOptions {
  /** Option: tool that starts an episode. */
  static final Option<String> BEGIN =
      Option.text("begin", "tool that is called first; its result is the first observation");

  /** Option: tool that grades an episode. */
  static final Option<String> GRADE =
      Option.text("grade", "tool that is called last; its result is added to the reward");

  /** Option: tools of the agent. */
  static final Option<List<String>> TOOLS =
      Option.texts("tools", "those that the agent may call; by default all others");

  /** Option: answer field with the reward. */
  static final Option<String> REWARD =
      Option.text("reward", "field of a result that is the reward").withDefault("reward");

  /** Field of the end of the episode. */
  static final Option<String> DONE =
      Option.text("done", "field of a result that says whether the episode is over")
          .withDefault("done");

  /** Option: fields of answers that are metrics. */
  static final Option<List<String>> METRICS =
      Option.texts("metrics", "fields of a result that become metrics: numbers, true and false")
          .withDefault(List.of());

  /** Option: maximum number of responses. */
  static final Option<Integer> TURNS =
      Option.integer(
          "turns", 1, Integer.MAX_VALUE, "responses after which the episode is cut and graded");

  /** Option: instruction of the agent. */
  static final Option<String> INSTRUCTION =
      Option.text("instruction", "instruction of the agent, shown once before the list of tools")
          .withDefault("");

  /** All options of the MCP options. */
  static final List<Option<?>> ALL =
      List.of(BEGIN, GRADE, TOOLS, REWARD, DONE, METRICS, TURNS, INSTRUCTION);

  private McpOptions() {}
}
