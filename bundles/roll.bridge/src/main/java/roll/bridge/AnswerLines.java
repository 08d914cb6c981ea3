package roll.bridge;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.List;

/** Lines of the JSON protocol: an object, or an array of objects. */
final class AnswerLines {
  private static final int SHOWN = 100;

  private AnswerLines() {}

  /** Returns the line of {@code requests}: a single object, or an array. */
  static String line(List<JsonObject> requests) {
    if (requests.size() == 1) {
      return requests.getFirst().toString();
    }
    JsonArray all = new JsonArray(requests.size());
    requests.forEach(all::add);
    return all.toString();
  }

  /**
   * Parses the answers in {@code line}.
   *
   * @throws IllegalArgumentException if it is malformed; the message shows it
   */
  static List<JsonObject> of(String line) {
    JsonElement read;
    try {
      read = JsonParser.parseString(line);
    } catch (JsonParseException | StackOverflowError e) {
      throw none(line);
    }
    List<JsonObject> answers = new ArrayList<>();
    for (JsonElement one : read.isJsonArray() ? read.getAsJsonArray().asList() : List.of(read)) {
      if (!one.isJsonObject() || id(one.getAsJsonObject()) < 0) {
        throw none(line);
      }
      answers.add(one.getAsJsonObject());
    }
    return answers;
  }

  /** Returns the id of the request that {@code answer} belongs to; −1 if it has none. */
  static long id(JsonObject answer) {
    JsonElement id = answer.get("id");
    try {
      return id == null || !id.isJsonPrimitive() ? -1 : id.getAsLong();
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private static IllegalArgumentException none(String line) {
    String shown = line.length() > SHOWN ? line.substring(0, SHOWN) + " …" : line;
    return new IllegalArgumentException(
        "wrote an invalid answer (a JSON object with the id of a request, or an array of them): "
            + shown);
  }
}
