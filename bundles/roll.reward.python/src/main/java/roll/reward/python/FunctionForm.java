package roll.reward.python;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.env.TaskInfo;
import roll.api.option.UserException;

/**
 * How the function is called.
 *
 * @param trl whether as TRL's, with lists of completions and of the row's columns
 * @param needs columns without which it cannot be called
 */
record FunctionForm(boolean trl, List<String> needs) {
  /** What the process said of its function. */
  static FunctionForm of(JsonObject greeting) {
    JsonElement needs = greeting.get("needs");
    return new FunctionForm(
        greeting.has("trl") && greeting.get("trl").getAsBoolean(),
        needs instanceof JsonArray names
            ? StreamSupport.stream(names.spliterator(), false)
                .map(JsonElement::getAsString)
                .toList()
            : List.of());
  }

  /**
   * Makes sure that a row has the columns which the function asks for.
   *
   * @param where the reward's place in the configuration
   * @param known whether the row's answer is known, which a function may ask for as {@code
   *     ground_truth}
   * @throws UserException naming the first that it has not
   */
  void check(String where, TaskInfo task, boolean known) {
    for (String column : needs) {
      if (!task.facts().containsKey(column) && !(known && column.equals("ground_truth"))) {
        throw new UserException(
            "%s: no column '%s', which the function of %s asks for (it has: %s)"
                .formatted(task.where(), column, where, String.join(", ", task.facts().keySet())));
      }
    }
  }

  /** Adds to {@code request} what only a function of TRL's is told. */
  static void tell(JsonObject request, Trajectory episode, Gson json) {
    request.add("row", json.toJsonTree(episode.facts()));
    request.addProperty(
        "prompt",
        episode.messages().stream()
            .filter(message -> !message.role().equals("assistant"))
            .map(Message::content)
            .collect(Collectors.joining("\n")));
    JsonArray tokens = new JsonArray();
    if (!episode.sequences().isEmpty()) {
      Sequence last = episode.sequences().getLast();
      for (int i = 0; i < last.tokens().length; i++) {
        if (last.turns()[i] >= 0) {
          tokens.add(last.tokens()[i]);
        }
      }
    }
    request.add("tokens", tokens);
  }
}
