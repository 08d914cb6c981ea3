package roll.ui.control;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.text.OneLine;

/**
 * The fields of a body.
 *
 * @param json the body
 */
record Fields(JsonObject json) {
  private static final int LONG = 1_000;
  private static final int MANY = 100;

  /**
   * Refuses fields that are none of {@code known}: a misspelt one must not be passed over.
   *
   * @throws UserException naming one
   */
  Fields only(Set<String> known) {
    for (String name : json.keySet()) {
      if (!known.contains(name)) {
        throw new UserException(
            "the body has the field '%s' (allowed: %s)"
                .formatted(shortened(name), String.join(", ", known.stream().sorted().toList())));
      }
    }
    return this;
  }

  /**
   * A text that must be there.
   *
   * @throws UserException if it is not, or is empty or longer than a name can be
   */
  String text(String name) {
    return text(name, json.get(name));
  }

  /**
   * A list of texts; empty where it is not there.
   *
   * @throws UserException if it is something else
   */
  List<String> texts(String name) {
    JsonElement value = json.get(name);
    if (value == null || value.isJsonNull()) {
      return List.of();
    }
    if (!(value instanceof JsonArray array) || array.size() > MANY) {
      throw new UserException(
          "the field '%s' must be a list of at most %d texts".formatted(name, MANY));
    }
    List<String> texts = new ArrayList<>();
    array.forEach(one -> texts.add(text(name, one)));
    return texts;
  }

  private static String text(String name, @Nullable JsonElement value) {
    if (value instanceof JsonPrimitive primitive
        && primitive.isString()
        && !primitive.getAsString().isEmpty()
        && primitive.getAsString().length() <= LONG) {
      return primitive.getAsString();
    }
    throw new UserException(
        "the field '%s' must be a text of 1 to %d characters".formatted(name, LONG));
  }

  private static String shortened(String text) {
    return OneLine.of(text.length() > 40 ? text.substring(0, 40) + "…" : text);
  }
}
