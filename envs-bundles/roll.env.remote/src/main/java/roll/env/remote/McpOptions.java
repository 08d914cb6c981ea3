package roll.env.remote;

import java.util.List;
import roll.api.option.Option;

/** What {@code mcp} may contain. */
final class McpOptions {
  /** The tool that begins an episode. */
  static final Option<String> BEGIN =
      Option.text("begin", "tool that is called first; its result is the first observation");

  /** The tool that grades an episode. */
  static final Option<String> GRADE =
      Option.text("grade", "tool that is called last; its result is added to the reward");

  /** The tools that the agent may call. */
  static final Option<List<String>> TOOLS =
      Option.texts("tools", "those that the agent may call; by default all others");

  /** Where a result has a reward. */
  static final Option<String> REWARD =
      Option.text("reward", "field of a result that is the reward").withDefault("reward");

  /** Where a result says that the episode is over. */
  static final Option<String> DONE =
      Option.text("done", "field of a result that says whether the episode is over")
          .withDefault("done");

  /** What else of a result is a number of the episode. */
  static final Option<List<String>> METRICS =
      Option.texts("metrics", "fields of a result that become metrics: numbers, true and false")
          .withDefault(List.of());

  /** When the episode is cut. */
  static final Option<Integer> TURNS =
      Option.integer(
          "turns", 1, Integer.MAX_VALUE, "responses after which the episode is cut and graded");

  /** What the agent is told. */
  static final Option<String> INSTRUCTION =
      Option.text("instruction", "what the agent is told once, before the list of tools")
          .withDefault("");

  /** All of them. */
  static final List<Option<?>> ALL =
      List.of(BEGIN, GRADE, TOOLS, REWARD, DONE, METRICS, TURNS, INSTRUCTION);

  private McpOptions() {}
}
