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
 * The calling convention of the functions.
 *
 * @param trl whether one is TRL's, with lists of completions and columns
 * @param needs columns that they require
 * @param each whether the score of each is a detail
 */
record FunctionForm(boolean trl, List<String> needs, boolean each) {
  /** Parses the process's description of its functions. */
  static FunctionForm of(JsonObject greeting, boolean each) {
    JsonElement needs = greeting.get("needs");
    return new FunctionForm(
        greeting.has("trl") && greeting.get("trl").getAsBoolean(),
        needs instanceof JsonArray names
            ? StreamSupport.stream(names.spliterator(), false)
                .map(JsonElement::getAsString)
                .toList()
            : List.of(),
        each);
  }

  /**
   * Checks that a row has the columns that the function requires.
   *
   * @param where path of the reward in the configuration
   * @param known whether the row has a reference answer, available as {@code ground_truth}
   * @throws UserException with the first missing column
   */
  void check(String where, TaskInfo task, boolean known) {
    for (String column : needs) {
      if (!task.facts().containsKey(column) && !(known && column.equals("ground_truth"))) {
        throw new UserException(
            "%s: no column '%s', which the function of %s requires (it has: %s)"
                .formatted(task.where(), column, where, String.join(", ", task.facts().keySet())));
      }
    }
  }

  /** Adds the arguments of TRL's functions to {@code request}. */
  static void tell(JsonObject request, Trajectory episode, Gson json) {
    request.add("row", json.toJsonTree(episode.facts()));
    List<Message> messages = episode.messages();
    int asked =
        (int) messages.stream().takeWhile(message -> !message.role().equals("assistant")).count();
    request.addProperty(
        "prompt",
        messages.stream().limit(asked).map(Message::content).collect(Collectors.joining("\n")));
    JsonArray completion = new JsonArray();
    messages.stream().skip(asked).map(FunctionForm::said).forEach(completion::add);
    request.add("completion", completion);
    JsonArray tokens = new JsonArray();
    if (!episode.sequences().isEmpty()) {
      Sequence last = episode.sequences().getLast();
      for (int i = 0; i < last.tokens().length; i++) {
        if (last.turns()[i] >= 0 || !tokens.isEmpty()) {
          tokens.add(last.tokens()[i]);
        }
      }
    }
    request.add("tokens", tokens);
  }

  private static JsonObject said(Message message) {
    JsonObject said = new JsonObject();
    said.addProperty("role", message.role());
    if (message.tool() != null) {
      said.addProperty("name", message.tool());
    }
    said.addProperty("content", message.content());
    return said;
  }
}
