package roll.openai.request;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import org.jspecify.annotations.Nullable;

/** Parts of a request's JSON with a required type; others are refused by their place. */
public final class JsonParts {
  private JsonParts() {}

  /**
   * Returns the text {@code json}.
   *
   * @throws ApiException if it is not a text
   */
  public static String text(String where, @Nullable JsonElement json) {
    if (json instanceof JsonPrimitive primitive && primitive.isString()) {
      return primitive.getAsString();
    }
    throw ApiException.invalid(where, "expected a text");
  }

  /** Returns the text {@code name} of {@code object}. */
  public static String text(String where, JsonObject object, String name) {
    return text(where + "." + name, object.get(name));
  }

  /**
   * Returns the object {@code json}.
   *
   * @throws ApiException if it is not an object
   */
  public static JsonObject object(String where, @Nullable JsonElement json) {
    if (json instanceof JsonObject object) {
      return object;
    }
    throw ApiException.invalid(where, "expected an object");
  }

  /**
   * Returns the list {@code json}.
   *
   * @throws ApiException if it is not a list
   */
  public static JsonArray list(String where, @Nullable JsonElement json) {
    if (json instanceof JsonArray list) {
      return list;
    }
    throw ApiException.invalid(where, "expected a list");
  }

  /** Returns whether {@code json} is missing or null. */
  public static boolean missing(@Nullable JsonElement json) {
    return json == null || json.isJsonNull();
  }

  /**
   * Returns the arguments of a tool call, a JSON object written as text; a blank text is an empty
   * object.
   *
   * @throws ApiException if they are not
   */
  public static Object arguments(String where, @Nullable JsonElement given) {
    if (given instanceof JsonObject object) {
      return RequestFields.plain(object); // the form of chat templates
    }
    String text = given == null || given.isJsonNull() ? "" : text(where, given);
    try {
      JsonElement json = RequestJson.read(text.isBlank() ? "{}" : text, Strictness.LENIENT);
      if (json.isJsonObject()) {
        return RequestFields.plain(json);
      }
    } catch (RequestJson.Problem e) {
      // refused below
    }
    throw ApiException.invalid(where, "expected a JSON object written as text");
  }
}
