package roll.config.trl;

import java.util.List;
import java.util.Map;
import roll.config.dialect.TranslatedKeys;

/** TRL's agents: functions, and the methods of a class with an instance per episode, as tools. */
record TrlTools(TrlOptions options, TranslatedKeys ours, TrlDataFiles files) {
  /** Beginning of the keys of tools in Python. */
  static final String PYTHON = "custom_envs.Trl.env_config.python.";

  /** Key of the class of environments. */
  static final String ENVIRONMENT = "environment_factory";

  private static final String AGENT = "custom_envs.Trl.agent.";
  private static final String FUNCTIONS = "tools";
  private static final String TURNS = "max_tool_calling_iterations";

  /** The agent's limits, which TRL does not have; {@code python.timeout} ends calls. */
  private static final Map<String, Integer> LIMITS =
      Map.of("max_parallel_calls", 256, "max_tool_response_length", 1 << 20, "tool_timeout", 3600);

  /** Returns whether an environment plays the episodes of {@code options}. */
  static boolean play(TrlOptions options) {
    return options.has(ENVIRONMENT);
  }

  /** Writes the tools, their agent and the number of turns, 1 without tools. */
  void put() {
    List<String> functions = options.has(FUNCTIONS) ? options.texts(FUNCTIONS) : List.of();
    if (functions.isEmpty() && !play(options)) {
      options.idle(TURNS, "there are no tools");
      ours.put("custom_envs.Trl.max_steps", 1);
      return;
    }
    if (!functions.isEmpty()) {
      ours.put(PYTHON + FUNCTIONS, functions.stream().map(files::function).toList(), FUNCTIONS);
    }
    if (play(options)) {
      ours.put(PYTHON + ENVIRONMENT, files.function(options.text(ENVIRONMENT)), ENVIRONMENT);
    }
    ours.put(AGENT + "agent_type", "hf");
    LIMITS.forEach((limit, value) -> ours.put(AGENT + limit, value));
    // a response has a token at least
    int turns =
        options.has(TURNS)
            ? Math.addExact(options.integer(TURNS), 1)
            : options.integer("max_completion_length");
    ours.put("custom_envs.Trl.max_steps", turns, TURNS);
  }
}
