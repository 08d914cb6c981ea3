package roll.bridge;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.List;

/** Lines of JSON: an object, or an array of some. */
final class AnswerLines {
  private static final int SHOWN = 100;

  private AnswerLines() {}

  /** The line that asks {@code requests}: one as it is, several in an array. */
  static String line(List<JsonObject> requests) {
    if (requests.size() == 1) {
      return requests.getFirst().toString();
    }
    JsonArray all = new JsonArray(requests.size());
    requests.forEach(all::add);
    return all.toString();
  }

  /**
   * The answers in {@code line}.
   *
   * @throws IllegalArgumentException that says what it is instead
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

  /** Which request {@code answer} belongs to; −1 where it does not say. */
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
        "wrote what is no answer (a JSON object with the id of a request, or an array of them): "
            + shown);
  }
}
