package roll.env.dataset;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.tool.ToolSchema;
import roll.bridge.PeerException;
import roll.bridge.PeerOptions;
import roll.bridge.PeerPools;
import roll.bridge.PeerSpec;
import roll.bridge.PythonScript;

/**
 * Functions of the user's Python, and the methods of a class with one instance per episode, which
 * the policy calls as in TRL.
 *
 * @param spec the process
 * @param name name of the class; empty without one
 * @param grades whether its {@code get_reward} grades episodes
 * @param needs columns that its {@code reset} requires
 * @param tools schemas of functions and methods
 */
record PythonTools(
    PeerSpec spec, String name, boolean grades, List<String> needs, List<ToolSchema> tools) {
  private static final Option<List<String>> TOOLS =
      Option.texts("tools", "functions, as module.function or file.py:function")
          .withDefault(List.of());
  private static final Option<String> ENVIRONMENT =
      Option.text("environment_factory", "class whose methods are tools, as file.py:Class");
  private static final Option<Boolean> GRADES =
      Option.flag("get_reward", "whether the class must have get_reward").withDefault(false);

  /** Options of {@code env_config.python}. */
  static final List<Option<?>> OPTIONS =
      Stream.concat(
              Stream.of(TOOLS, ENVIRONMENT, GRADES, PythonScript.PYTHON),
              PeerOptions.PROGRAM.stream())
          .toList();

  /** Time after the limit of a call within which the interpreter must have ended the call. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private static final Gson JSON =
      new GsonBuilder()
          .serializeNulls()
          .serializeSpecialFloatingPointValues()
          .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
          .create();

  /**
   * Starts a process that loads what {@code options} name.
   *
   * @throws UserException if it is missing, or cannot be a tool
   */
  static PythonTools of(Options options, PythonScript script, PeerPools peers) {
    List<String> functions = options.get(TOOLS);
    String environment = options.find(ENVIRONMENT).map(PythonScript::absolute).orElse(null);
    if (functions.isEmpty() && environment == null) {
      throw options.wrong(TOOLS, "at least one function, or environment_factory");
    }
    JsonObject hello = new JsonObject();
    hello.addProperty("op", "describe");
    hello.add("tools", json(functions.stream().map(PythonScript::absolute).toList()));
    hello.addProperty("environment_factory", environment);
    hello.addProperty("seconds", PeerOptions.timeout(options).toMillis() / 1e3);
    String interpreter = options.get(PythonScript.PYTHON);
    PeerSpec given =
        PeerOptions.spec(
            options,
            PeerOptions.program(
                options, "the tools in " + interpreter, script.command(interpreter)),
            hello);
    PeerSpec spec =
        new PeerSpec(
            given.place(),
            hello,
            given.peers(),
            given.startTimeout(),
            given.timeout().plus(GRACE),
            given.restarts());
    JsonObject described;
    try {
      described = peers.greeting(spec);
    } catch (PeerException e) {
      throw new UserException(options.where() + ": " + e.getMessage(), e);
    }
    PythonTools tools =
        new PythonTools(
            spec,
            described.get("name").getAsString(),
            described.get("get_reward").getAsBoolean(),
            elements(described, "needs").map(JsonElement::getAsString).toList(),
            elements(described, "tools").map(PythonTools::schema).toList());
    if (options.get(GRADES) && !tools.grades) {
      throw options.wrong(GRADES, "false and a reward: %s has no get_reward".formatted(tools.name));
    }
    return tools;
  }

  private static Stream<JsonElement> elements(JsonObject described, String key) {
    return StreamSupport.stream(described.getAsJsonArray(key).spliterator(), false);
  }

  private static ToolSchema schema(JsonElement described) {
    JsonObject tool = described.getAsJsonObject();
    return new ToolSchema(
        tool.get("name").getAsString(),
        tool.get("description").getAsString(),
        map(tool.get("parameters")));
  }

  /** Returns {@code value} in JSON. */
  static JsonElement json(Object value) {
    return JSON.toJsonTree(value);
  }

  /** Returns the entries of an object in JSON; integers are Long. */
  static Map<String, Object> map(JsonElement object) {
    return JSON.fromJson(object, new TypeToken<Map<String, Object>>() {}.getType());
  }
}
