package roll.ui.trajectory;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.ui.run.TrajectoryFolder;

/** The line of an episode for the page, with its messages by turn. */
final class EpisodeDetail {
  private static final Gson GSON = new Gson();
  private static final List<String> NUMBERS =
      List.of("log_probs", "advantages", "old_log_probs", "ref_log_probs");

  private final List<Turn> turns = new ArrayList<>();
  private final List<String> system = new ArrayList<>();
  private final List<String> seen = new ArrayList<>();
  private final List<String> pictures = new ArrayList<>();

  /**
   * One turn of the episode as the page shows it.
   *
   * @param turn its number, counted from 0
   * @param observation the messages before it; empty if they are results of tools alone
   * @param pictures names of the pictures in the observation
   * @param response without special tokens
   * @param reward null if the line has none
   * @param tools results of the tool calls
   */
  private record Turn(
      int turn,
      String observation,
      List<String> pictures,
      String response,
      @Nullable Double reward,
      List<ToolResult> tools) {}

  /** The result of a tool call; {@code name} is null in older files. */
  private record ToolResult(@Nullable String name, String content) {}

  private EpisodeDetail() {}

  /**
   * Returns the line with {@code turns} and {@code system}, and in its sequences with the {@code
   * ratios} of the trainer's probabilities before the update to those of the sampled tokens, where
   * the file has both. Numbers that are not finite are null, secrets are hidden.
   *
   * @throws UserException if it is not a JSON object
   */
  static JsonObject of(String line) {
    JsonObject episode = object(line);
    EpisodeSecrets.hide(episode);
    for (JsonElement sequence : array(episode, "sequences")) {
      if (sequence instanceof JsonObject tokens) {
        JsonArray old = array(tokens, "old_log_probs");
        JsonArray sampled = array(tokens, "log_probs");
        if (!old.isEmpty() && old.size() == sampled.size()) {
          tokens.add("ratios", ratios(old, sampled, array(tokens, "turns")));
        }
        NUMBERS.forEach(name -> makeFinite(tokens, name));
      }
    }
    makeFinite(episode, "rewards");
    EpisodeDetail detail = new EpisodeDetail();
    detail.readMessages(episode);
    episode.add("turns", GSON.toJsonTree(detail.turns));
    episode.addProperty(
        "system", detail.system.isEmpty() ? null : String.join("\n", detail.system));
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
    throw new UserException("the line of the episode is not a JSON object");
  }

  private static JsonArray ratios(JsonArray old, JsonArray sampled, JsonArray turns) {
    JsonArray ratios = new JsonArray(old.size());
    for (int t = 0; t < old.size(); t++) {
      boolean generated = t < turns.size() && number(turns.get(t)) >= 0;
      ratios.add(generated ? finite(Math.exp(number(old.get(t)) - number(sampled.get(t)))) : null);
    }
    return ratios;
  }

  private static void makeFinite(JsonObject object, String name) {
    JsonArray numbers = array(object, name);
    for (int t = 0; t < numbers.size(); t++) {
      numbers.set(t, finite(number(numbers.get(t))));
    }
  }

  private static JsonElement finite(double number) {
    return Double.isFinite(number) ? new JsonPrimitive(number) : JsonNull.INSTANCE;
  }

  private static double number(JsonElement element) {
    try {
      return element.isJsonPrimitive() ? element.getAsDouble() : Double.NaN;
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** Reads the messages of {@code line}; invalid ones are skipped. */
  private void readMessages(JsonObject line) {
    JsonArray rewards = array(line, "rewards");
    List<JsonObject> messages = new ArrayList<>();
    array(line, "messages")
        .forEach(
            message -> {
              if (message instanceof JsonObject object) {
                messages.add(object);
              }
            });
    // the policy has a reward for each response; earlier ones are part of the task
    long responses = messages.stream().filter(EpisodeDetail::isResponse).count();
    long given = rewards.isEmpty() ? 0 : responses - rewards.size();
    for (JsonObject message : messages) {
      if (given > 0 && isResponse(message)) {
        given--;
        seen.add(text(message, "content"));
      } else {
        add(message, rewards);
      }
    }
  }

  private static boolean isResponse(JsonObject message) {
    return text(message, "role").equals("assistant");
  }

  private void add(JsonObject message, JsonArray rewards) {
    String content = text(message, "content");
    switch (text(message, "role")) {
      case "assistant" -> {
        int turn = turns.size();
        double reward = turn < rewards.size() ? number(rewards.get(turn)) : Double.NaN;
        turns.add(
            new Turn(
                turn,
                String.join("\n", seen),
                List.copyOf(pictures),
                content,
                Double.isNaN(reward) ? null : reward,
                new ArrayList<>()));
        seen.clear();
        pictures.clear();
      }
      case "tool" -> {
        addPictures(message);
        if (!turns.isEmpty()) {
          String name = message.has("tool") ? text(message, "tool") : null;
          turns.getLast().tools().add(new ToolResult(name, content));
        }
      }
      case "system" -> system.add(content);
      default -> {
        seen.add(content);
        addPictures(message);
      }
    }
  }

  private void addPictures(JsonObject message) {
    for (JsonElement picture : array(message, "pictures")) {
      String name =
          picture instanceof JsonObject object
              ? TrajectoryFolder.pictureName(text(object, "file"))
              : null;
      if (name != null) {
        pictures.add(name);
      }
    }
  }

  private static JsonArray array(JsonObject object, String key) {
    return object.get(key) instanceof JsonArray array ? array : new JsonArray();
  }

  /** Returns a text; empty where there is none. */
  private static String text(JsonObject object, String key) {
    return object.get(key) instanceof JsonPrimitive value ? value.getAsString() : "";
  }
}
