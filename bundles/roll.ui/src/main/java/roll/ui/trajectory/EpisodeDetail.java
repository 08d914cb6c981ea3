package roll.ui.trajectory;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import java.util.List;
import roll.api.option.UserException;

/** The line of an episode as the page is given it. */
final class EpisodeDetail {
  private static final Gson GSON = new Gson();
  private static final List<String> NUMBERS =
      List.of("log_probs", "advantages", "old_log_probs", "ref_log_probs");

  private EpisodeDetail() {}

  /**
   * The line with {@code turns}, and in its sequences the {@code ratios} of the trainer's
   * probabilities before the update to the drawn ones, where the file has both. What is not finite
   * is null, secrets are hidden.
   *
   * @throws UserException if it is no JSON object
   */
  static JsonObject of(String line) {
    JsonObject episode = object(line);
    SpokenSecrets.hide(episode);
    for (JsonElement sequence : array(episode, "sequences")) {
      if (sequence instanceof JsonObject tokens) {
        JsonArray old = array(tokens, "old_log_probs");
        JsonArray drawn = array(tokens, "log_probs");
        if (!old.isEmpty() && old.size() == drawn.size()) {
          tokens.add("ratios", ratios(old, drawn, array(tokens, "turns")));
        }
        NUMBERS.forEach(name -> finite(tokens, name));
      }
    }
    finite(episode, "rewards");
    EpisodeTurns turns = EpisodeTurns.of(episode);
    episode.add("turns", GSON.toJsonTree(turns.turns()));
    episode.add("system", GSON.toJsonTree(turns.system()));
    return episode;
  }

  private static JsonObject object(String line) {
    try {
      if (GSON.fromJson(line, JsonElement.class) instanceof JsonObject object) {
        return object;
      }
    } catch (JsonParseException e) {
      throw new UserException("the line of the episode is broken", e);
    }
    throw new UserException("the line of the episode is no JSON object");
  }

  private static JsonArray ratios(JsonArray old, JsonArray drawn, JsonArray turns) {
    JsonArray ratios = new JsonArray(old.size());
    for (int t = 0; t < old.size(); t++) {
      boolean written = t < turns.size() && number(turns.get(t)) >= 0;
      ratios.add(written ? shown(Math.exp(number(old.get(t)) - number(drawn.get(t)))) : null);
    }
    return ratios;
  }

  private static void finite(JsonObject object, String name) {
    JsonArray numbers = array(object, name);
    for (int t = 0; t < numbers.size(); t++) {
      numbers.set(t, shown(number(numbers.get(t))));
    }
  }

  private static JsonElement shown(double number) {
    return Double.isFinite(number) ? new JsonPrimitive(number) : JsonNull.INSTANCE;
  }

  private static double number(JsonElement element) {
    try {
      return element.isJsonPrimitive() ? element.getAsDouble() : Double.NaN;
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  private static JsonArray array(JsonObject object, String key) {
    return object.get(key) instanceof JsonArray array ? array : new JsonArray();
  }
}
