package roll.ui.trajectory;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import roll.ui.run.TrajectoryFolder;

/** The messages of an episode by turn. */
final class EpisodeTurns {
  private final List<Turn> turns = new ArrayList<>();
  private final List<String> system = new ArrayList<>();
  private final List<String> seen = new ArrayList<>();
  private final List<String> pictures = new ArrayList<>();

  /**
   * A turn.
   *
   * @param turn its number, from 0
   * @param observation what the policy was told before it; empty where only tools spoke
   * @param pictures names of the pictures in it
   * @param response without special tokens
   * @param reward null where the line has none
   * @param tools what they answered
   */
  record Turn(
      int turn,
      String observation,
      List<String> pictures,
      String response,
      @Nullable Double reward,
      List<ToolResult> tools) {}

  /** What a tool answered; {@code name} is null in older files. */
  record ToolResult(@Nullable String name, String content) {}

  private EpisodeTurns() {}

  /** Those of {@code line}; what is not as it should be is passed over. */
  static EpisodeTurns of(JsonObject line) {
    EpisodeTurns turns = new EpisodeTurns();
    JsonArray rewards = array(line, "rewards");
    int earlier = earlier(array(line, "messages"), rewards.size());
    for (JsonElement message : array(line, "messages")) {
      if (message instanceof JsonObject said) {
        if (earlier > 0 && isAnswer(said)) {
          earlier--;
          turns.seen.add(Objects.requireNonNullElse(text(said, "content"), ""));
        } else {
          turns.add(said, rewards);
        }
      }
    }
    return turns;
  }

  private static boolean isAnswer(JsonObject said) {
    return "assistant".equals(text(said, "role"));
  }

  /** How many answers the task began with: there is a reward for each that the policy gave. */
  private static int earlier(JsonArray messages, int rewards) {
    int answers = 0;
    for (JsonElement message : messages) {
      answers += message instanceof JsonObject said && isAnswer(said) ? 1 : 0;
    }
    return rewards == 0 ? 0 : answers - rewards;
  }

  private void add(JsonObject said, JsonArray rewards) {
    String content = Objects.requireNonNullElse(text(said, "content"), "");
    switch (Objects.requireNonNullElse(text(said, "role"), "")) {
      case "assistant" -> {
        int turn = turns.size();
        JsonElement reward = turn < rewards.size() ? rewards.get(turn) : null;
        turns.add(
            new Turn(
                turn,
                String.join("\n", seen),
                List.copyOf(pictures),
                content,
                reward != null && reward.isJsonPrimitive() ? number(reward) : null,
                new ArrayList<>()));
        seen.clear();
        pictures.clear();
      }
      case "tool" -> {
        pictures(said);
        if (!turns.isEmpty()) {
          turns.getLast().tools().add(new ToolResult(text(said, "tool"), content));
        }
      }
      case "system" -> system.add(content);
      default -> {
        seen.add(content);
        pictures(said);
      }
    }
  }

  private void pictures(JsonObject said) {
    for (JsonElement shown : array(said, "pictures")) {
      String name =
          shown instanceof JsonObject picture
              ? TrajectoryFolder.pictureName(Objects.requireNonNullElse(text(picture, "file"), ""))
              : null;
      if (name != null) {
        pictures.add(name);
      }
    }
  }

  private static @Nullable Double number(JsonElement reward) {
    try {
      return reward.getAsDouble();
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static JsonArray array(JsonObject object, String key) {
    return object.get(key) instanceof JsonArray array ? array : new JsonArray();
  }

  private static @Nullable String text(JsonObject object, String key) {
    JsonElement value = object.get(key);
    return value != null && value.isJsonPrimitive() ? value.getAsString() : null;
  }

  /** All turns, in order. */
  List<Turn> turns() {
    return turns;
  }

  /** The system message; null where there is none. */
  @Nullable String system() {
    return system.isEmpty() ? null : system.stream().collect(Collectors.joining("\n"));
  }
}
