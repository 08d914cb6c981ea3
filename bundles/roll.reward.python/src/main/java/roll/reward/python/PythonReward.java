package roll.reward.python;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import roll.api.data.Trajectory;
import roll.api.env.TaskInfo;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.RawOptions;
import roll.api.option.UserException;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RewardModels;
import roll.api.reward.RollReward;
import roll.api.reward.TaskFacts;
import roll.bridge.PeerException;
import roll.bridge.PeerOptions;
import roll.bridge.PeerPools;
import roll.bridge.PeerSession;
import roll.bridge.PeerSpec;
import roll.bridge.PythonScript;

/**
 * The score of a function in Python, verl's {@code custom_reward_function} or TRL's, or the
 * weighted sum of several.
 */
@Component(name = "roll.reward.python")
@RollReward("python")
public final class PythonReward implements RewardFunction {
  private static final Gson JSON = new GsonBuilder().serializeNulls().create();
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Option<RawOptions> KEYWORDS =
      Option.nested("reward_kwargs", "further arguments of the function, by name");
  private static final Option<String> ENVIRONMENT =
      Option.text("environment_factory", "class of the environments that TRL's functions receive");
  private static final Option<List<String>> KEYS =
      Option.texts("answer_keys", "fields of the ground truth; the first that exists is used")
          .withDefault(List.of("reward_model.ground_truth", "ground_truth", "answer", "gold"));
  private static final List<Option<?>> OPTIONS = allOptions();

  private final PythonScript script = PythonScript.of(PythonReward.class, "reward.py");
  private final PeerPools peers = new PeerPools(PATIENCE);

  private static List<Option<?>> allOptions() {
    List<Option<?>> all = new ArrayList<>(PythonFunctions.OPTIONS);
    all.addAll(List.of(KEYWORDS, ENVIRONMENT, KEYS, PythonScript.PYTHON));
    all.addAll(PeerOptions.PROGRAM);
    return List.copyOf(all);
  }

  @Override
  public String description() {
    return "Score of a function in a Python file (verl's custom_reward_function)";
  }

  @Override
  public List<Option<?>> options() {
    return OPTIONS;
  }

  /** Starts a process that loads the functions. */
  @Override
  public Reward configure(Options options) {
    PythonFunctions functions = PythonFunctions.of(options);
    List<String> command =
        script.command(
            options.get(PythonScript.PYTHON), functions.written().toArray(String[]::new));
    JsonObject hello = new JsonObject();
    hello.addProperty("op", "describe");
    Map<String, ?> keywords = options.has(KEYWORDS) ? options.get(KEYWORDS).values() : Map.of();
    hello.add("options", JSON.toJsonTree(keywords));
    hello.add("weights", JSON.toJsonTree(functions.weights()));
    hello.addProperty(
        "environment_factory", options.find(ENVIRONMENT).map(PythonScript::absolute).orElse(null));
    String shown = "the reward " + functions.shown();
    PeerSpec spec = PeerOptions.spec(options, PeerOptions.program(options, shown, command), hello);
    JsonObject greeting;
    try {
      greeting = peers.greeting(spec);
    } catch (PeerException e) {
      throw new UserException(options.where() + ": " + e.getMessage(), e);
    }
    return new Asked(
        options.where(), spec, options.get(KEYS), FunctionForm.of(greeting, functions.each()));
  }

  /** The user's reward function, called in processes of its own. */
  private final class Asked implements Reward {
    private final String where;
    private final PeerSpec spec;
    private final List<String> keys;
    private final FunctionForm form;

    Asked(String where, PeerSpec spec, List<String> keys, FunctionForm form) {
      this.where = where;
      this.spec = spec;
      this.keys = keys;
      this.form = form;
    }

    @Override
    public void check(TaskInfo task) {
      form.check(where, task, truth(keys, task.facts()) != null);
    }

    @Override
    public Grade grade(Trajectory episode, RewardModels models) {
      return PythonReward.this.grade(spec, keys, form, episode);
    }
  }

  private static @Nullable Object truth(List<String> keys, Map<String, Object> facts) {
    return keys.stream()
        .map(key -> TaskFacts.at(facts, key))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private Grade grade(PeerSpec spec, List<String> keys, FunctionForm form, Trajectory episode) {
    Map<String, Object> facts = episode.facts();
    JsonObject request = new JsonObject();
    request.addProperty("op", "score");
    request.add("data_source", json(facts.get("data_source")));
    request.addProperty("solution_str", episode.finalResponse());
    request.add("ground_truth", json(truth(keys, facts)));
    request.add("extra_info", extra(episode));
    request.addProperty("each", form.each());
    if (form.trl()) {
      FunctionForm.tell(request, episode, JSON);
    }
    JsonObject answer = answer(spec, request);
    return new Grade(number(answer.get("score")), details(answer), null);
  }

  /** Sends the request, and again if the process ended because of another request. */
  private JsonObject answer(PeerSpec spec, JsonObject request) {
    try {
      while (true) {
        try (PeerSession session = peers.open(spec)) {
          JsonObject answer = answer(session, request);
          if (answer != null) {
            return answer;
          }
        }
      }
    } catch (PeerException e) {
      throw new UserException(String.valueOf(e.getMessage()), e);
    }
  }

  private static @Nullable JsonObject answer(PeerSession session, JsonObject request) {
    try {
      JsonObject answer = session.ask(request);
      session.finished();
      return answer;
    } catch (PeerException e) {
      if (e.beside()) {
        return null;
      }
      session.finished(); // the process had started, and this request ended it
      throw e;
    }
  }

  /** Returns the row's {@code extra_info} with the number of turns, as verl adds it. */
  private static JsonObject extra(Trajectory episode) {
    JsonElement given = json(episode.facts().get("extra_info"));
    JsonObject extra = given instanceof JsonObject mapping ? mapping : new JsonObject();
    extra.addProperty("num_turns", episode.rewards().length);
    return extra;
  }

  private static JsonElement json(@Nullable Object fact) {
    return JSON.toJsonTree(fact);
  }

  private static Map<String, Double> details(JsonObject answer) {
    Map<String, Double> details = new LinkedHashMap<>();
    answer
        .getAsJsonObject("details")
        .entrySet()
        .forEach(detail -> details.put(detail.getKey(), number(detail.getValue())));
    return details;
  }

  private static double number(JsonElement value) {
    // NaN and Infinity are sent as words
    return value instanceof JsonPrimitive number ? number.getAsDouble() : Double.NaN;
  }

  /** Ends all processes of the Python reward. */
  @Deactivate
  void deactivate() {
    peers.close();
  }
}
