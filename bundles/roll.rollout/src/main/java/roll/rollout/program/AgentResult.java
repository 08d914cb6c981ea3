package roll.rollout.program;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.rollout.supervise.EnvironmentException;
import roll.text.OneLine;

/**
 * The result of a program: the last line that it prints, a JSON object.
 *
 * @param answer final answer, graded by the environment and the rewards; null for the last response
 *     of the model
 * @param reward reward to add to that of the environment; 0 if absent, NaN if it is not finite
 * @param metrics metrics of the episode; values that are not finite are dropped
 */
record AgentResult(@Nullable String answer, double reward, Map<String, Double> metrics) {
  private static final Gson GSON =
      new GsonBuilder().setStrictness(Strictness.STRICT).serializeNulls().create();
  private static final Set<String> KNOWN = Set.of("id", "answer", "reward", "metrics", "error");
  private static final List<String> NOT_FINITE = List.of("NaN", "Infinity", "-Infinity");
  private static final int SHOWN = 80;

  /** An empty result of an agent program. */
  static final AgentResult NONE = new AgentResult(null, 0, Map.of());

  /**
   * Parses {@code line}; a blank line is {@link #NONE}.
   *
   * @throws EnvironmentException if it is not a result
   */
  static AgentResult read(String line) {
    return line.isBlank() ? NONE : read(object(line), line);
  }

  /** Returns the episode id in {@code line}; null if it is not a result with an id. */
  static @Nullable String id(String line) {
    return parsed(line) instanceof JsonObject object
            && object.get("id") instanceof JsonPrimitive id
            && id.isString()
        ? id.getAsString()
        : null;
  }

  private static JsonObject object(String line) {
    if (parsed(line) instanceof JsonObject object) {
      return object;
    }
    throw wrong("last line is not a JSON object", line);
  }

  private static @Nullable JsonElement parsed(String line) {
    try {
      return GSON.fromJson(line, JsonElement.class);
    } catch (JsonParseException e) {
      String quoted = quoted(line);
      return quoted.equals(line) ? null : parsed(quoted);
    }
  }

  /** Returns {@code line} with Python's NaN and infinities as strings. */
  private static String quoted(String line) {
    StringBuilder json = new StringBuilder();
    boolean text = false;
    for (int i = 0; i < line.length(); i++) {
      int at = i;
      String word =
          text
              ? null
              : NOT_FINITE.stream().filter(w -> line.startsWith(w, at)).findFirst().orElse(null);
      char c = line.charAt(i);
      if (word != null) {
        json.append('"').append(word).append('"');
        i += word.length() - 1;
      } else if (text && c == '\\' && i + 1 < line.length()) {
        json.append(c).append(line.charAt(++i));
      } else {
        text ^= c == '"';
        json.append(c);
      }
    }
    return json.toString();
  }

  private static AgentResult read(JsonObject result, String line) {
    for (String name : result.keySet()) {
      if (!KNOWN.contains(name)) {
        throw wrong(
            "last line has '" + name + "' (allowed: answer, error, id, metrics, reward)", line);
      }
    }
    JsonElement error = result.get("error");
    if (error != null && !error.isJsonNull()) {
      throw EnvironmentException.of("the program reported an error: " + shown(error.toString()));
    }
    JsonElement answer = result.get("answer");
    if (answer != null && !isText(answer) && !answer.isJsonNull()) {
      throw wrong("'answer' is not a string", line);
    }
    Map<String, Double> metrics = new LinkedHashMap<>();
    if (result.has("metrics")) {
      if (!(result.get("metrics") instanceof JsonObject numbers)) {
        throw wrong("'metrics' is not an object", line);
      }
      numbers.asMap().forEach((name, value) -> metrics.put(name, number(name, value, line)));
      metrics.values().removeIf(value -> !Double.isFinite(value));
    }
    JsonElement reward = result.get("reward");
    return new AgentResult(
        answer == null || answer.isJsonNull() ? null : answer.getAsString(),
        reward == null || reward.isJsonNull() ? 0 : number("reward", reward, line),
        metrics);
  }

  private static boolean isText(JsonElement json) {
    return json instanceof JsonPrimitive primitive && primitive.isString();
  }

  private static double number(String name, JsonElement json, String line) {
    if (json instanceof JsonPrimitive primitive && primitive.isNumber()) {
      double value = primitive.getAsDouble();
      return Double.isFinite(value) ? value : Double.NaN;
    }
    if (json.isJsonNull() || (isText(json) && NOT_FINITE.contains(json.getAsString()))) {
      return Double.NaN;
    }
    throw wrong("'" + name + "' is not a number", line);
  }

  private static EnvironmentException wrong(String what, String line) {
    return EnvironmentException.of("the program's " + what + ": " + shown(line));
  }

  private static String shown(String text) {
    String line = OneLine.of(text);
    return line.codePointCount(0, line.length()) > SHOWN
        ? line.substring(0, line.offsetByCodePoints(0, SHOWN)) + "…"
        : line;
  }
}
