package roll.ui.control;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.text.OneLine;

/**
 * The fields of a request body.
 *
 * @param json the body
 */
record BodyFields(JsonObject json) {
  private static final int MAX_LENGTH = 1_000;
  private static final int MAX_TEXTS = 100;

  /**
   * Refuses unknown fields: a misspelled one must not be ignored.
   *
   * @throws UserException naming one
   */
  BodyFields only(Set<String> known) {
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
   * Returns a required text field of the request body.
   *
   * @throws UserException if it is missing, empty or too long
   */
  String text(String name) {
    return text(name, json.get(name));
  }

  /**
   * Returns a list of texts; empty if it is missing.
   *
   * @throws UserException if it has another type
   */
  List<String> texts(String name) {
    JsonElement value = json.get(name);
    if (value == null || value.isJsonNull()) {
      return List.of();
    }
    if (!(value instanceof JsonArray array) || array.size() > MAX_TEXTS) {
      throw new UserException(
          "the field '%s' must be a list of at most %d texts".formatted(name, MAX_TEXTS));
    }
    List<String> texts = new ArrayList<>();
    array.forEach(one -> texts.add(text(name, one)));
    return texts;
  }

  /**
   * Returns a text, which may be empty or missing, of at most {@code max} characters.
   *
   * @throws UserException if it is not one
   */
  String textUpTo(String name, int max) {
    JsonElement value = json.get(name);
    if (value == null) {
      return "";
    }
    if (value instanceof JsonPrimitive primitive
        && primitive.isString()
        && primitive.getAsString().length() <= max) {
      return encodable(name, primitive.getAsString());
    }
    throw new UserException(
        "the field '%s' must be a text of at most %d characters".formatted(name, max));
  }

  /**
   * Returns whether the field {@code name} is true; a missing one is not.
   *
   * @throws UserException if it is neither true nor false
   */
  boolean flag(String name) {
    JsonElement value = json.get(name);
    if (value == null) {
      return false;
    }
    if (value instanceof JsonPrimitive primitive && primitive.isBoolean()) {
      return primitive.getAsBoolean();
    }
    throw new UserException("the field '%s' must be true or false".formatted(name));
  }

  private static String text(String name, @Nullable JsonElement value) {
    if (value instanceof JsonPrimitive primitive
        && primitive.isString()
        && !primitive.getAsString().isEmpty()
        && primitive.getAsString().length() <= MAX_LENGTH) {
      return encodable(name, primitive.getAsString());
    }
    throw new UserException(
        "the field '%s' must be a text of 1 to %d characters".formatted(name, MAX_LENGTH));
  }

  /** Checks that {@code text} can be written in UTF-8. */
  private static String encodable(String name, String text) {
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw new UserException("the field '%s' must be a text in UTF-8".formatted(name));
    }
    return text;
  }

  private static String shortened(String text) {
    return OneLine.of(text.length() > 40 ? text.substring(0, 40) + "…" : text);
  }
}
