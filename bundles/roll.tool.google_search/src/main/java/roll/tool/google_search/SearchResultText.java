package roll.tool.google_search;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.List;

/** Formats an answer for the model: the answer box if there is one, otherwise the first results. */
final class SearchResultText {
  private SearchResultText() {}

  /**
   * Returns the text of the search answer {@code json}.
   *
   * @param most maximum number of results
   * @throws SearchFailure if it has another format
   */
  static String text(String json, int most) throws SearchFailure {
    try {
      JsonObject answer = JsonParser.parseString(json).getAsJsonObject();
      String box = box(answer);
      return box.isEmpty() ? results(answer, most) : box;
    } catch (JsonParseException | IllegalStateException e) {
      throw new SearchFailure("the search engine answered something that is no JSON object");
    }
  }

  private static String box(JsonObject answer) {
    if (!(answer.get("answerBox") instanceof JsonObject box)) {
      return "";
    }
    for (String key : List.of("answer", "snippet", "snippetHighlighted")) {
      String text = text(box, key);
      if (!text.isEmpty()) {
        return text;
      }
    }
    return text(box, "title");
  }

  private static String results(JsonObject answer, int most) {
    List<String> lines = new ArrayList<>();
    if (answer.get("organic") instanceof JsonArray results) {
      for (JsonElement element : results) {
        if (lines.size() < most && element instanceof JsonObject result) {
          String line = (text(result, "title") + " " + text(result, "snippet")).strip();
          lines.add(lines.size() + 1 + ". " + line);
        }
      }
    }
    return lines.isEmpty() ? "Nothing was found; try other words." : String.join("\n", lines);
  }

  /** Returns the field {@code key} in one line, a list joined; empty if it is missing. */
  private static String text(JsonObject object, String key) {
    return switch (object.get(key)) {
      case JsonArray list ->
          String.join(
              " ",
              list.asList().stream()
                  .filter(JsonElement::isJsonPrimitive)
                  .map(JsonElement::getAsString)
                  .toList());
      case JsonElement one when one.isJsonPrimitive() ->
          one.getAsString().strip().replaceAll("\\s+", " ");
      case null, default -> "";
    };
  }
}
