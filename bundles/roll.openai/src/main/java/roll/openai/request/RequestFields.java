package roll.openai.request;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.ToNumberPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.text.Suggestion;

/**
 * The JSON fields of a request's body. A null parameter counts as missing; an invalid one is
 * refused by name in an {@link ApiException}.
 */
public final class RequestFields {
  private static final Gson GSON =
      new GsonBuilder()
          .setStrictness(Strictness.STRICT)
          .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
          .create();

  /** Maximum length of an unknown name for which a similar name is suggested. */
  private static final int LONGEST_NAME = 100;

  private final JsonObject json;

  private RequestFields(JsonObject json) {
    this.json = json;
  }

  /** Parses the parameters in {@code body}; each must be in {@code known}. */
  public static RequestFields read(String body, Set<String> known) {
    JsonObject json = json(body);
    for (String name : json.keySet()) {
      if (!known.contains(name)) {
        String near = name.length() > LONGEST_NAME ? "" : Suggestion.near(name, known);
        throw ApiException.wrong(name, "Unknown parameter: '" + name + "'" + near + ".");
      }
    }
    return new RequestFields(json);
  }

  /**
   * Parses the JSON object {@code body} into Java types.
   *
   * @throws ApiException if it is not a JSON object
   */
  public static Map<?, ?> object(String body) {
    return (Map<?, ?>) plain(json(body));
  }

  private static JsonObject json(String body) {
    try {
      if (RequestJson.read(body, Strictness.STRICT) instanceof JsonObject object) {
        return object;
      }
    } catch (RequestJson.Problem e) {
      throw ApiException.status(400, "The body of the request " + e.getMessage() + ".", null);
    }
    throw ApiException.status(400, "The body of a request must be a JSON object.", null);
  }

  /** Converts JSON to Java types: maps, lists, text, Long, Double, Boolean, null. */
  public static Object plain(JsonElement json) {
    return GSON.fromJson(json, Object.class);
  }

  /** Returns the parameter {@code name}, or null if it is missing. */
  public @Nullable JsonElement get(String name) {
    JsonElement value = json.get(name);
    return value == null || value.isJsonNull() ? null : value;
  }

  /** Returns whether the parameter {@code name} is there. */
  public boolean has(String name) {
    return get(name) != null;
  }

  /** Returns the refusal of the value of {@code name}. */
  public ApiException wrong(String name, String expected) {
    JsonElement value = get(name);
    String found = value == null ? "nothing" : value.toString();
    return ApiException.wrong(
        name,
        "Invalid value for '%s': expected %s, found %s."
            .formatted(
                name, expected, found.length() > 100 ? found.substring(0, 100) + "…" : found));
  }

  /** A type of parameters. */
  private interface JsonType<T> {
    /** Returns the value of {@code json}, or null if it has another type. */
    @Nullable T of(JsonPrimitive json);
  }

  /**
   * Returns the value of {@code name}, or null if it is missing.
   *
   * @throws ApiException if it has another type; the message says {@code expected}
   */
  private <T> @Nullable T value(String name, String expected, JsonType<T> type) {
    JsonElement given = get(name);
    T value = given instanceof JsonPrimitive primitive ? type.of(primitive) : null;
    if (given != null && value == null) {
      throw wrong(name, expected);
    }
    return value;
  }

  /** Returns the text {@code name}, or null if it is missing. */
  public @Nullable String text(String name) {
    return value(name, "a text", json -> json.isString() ? json.getAsString() : null);
  }

  /** Returns the parameter {@code name}, true or false; false if it is missing. */
  public boolean flag(String name) {
    Boolean flag =
        value(name, "true or false", json -> json.isBoolean() ? json.getAsBoolean() : null);
    return flag != null && flag;
  }

  /** Returns the number {@code name}, {@code standard} if it is missing. */
  public double number(String name, double standard) {
    Double number = value(name, "a number", json -> json.isNumber() ? json.getAsDouble() : null);
    return number == null ? standard : number;
  }

  /**
   * Returns the integer {@code name} in {@code [least, most]}, {@code standard} if it is missing.
   */
  public long integer(String name, long standard, long least, long most) {
    String expected =
        most == Long.MAX_VALUE ? "an integer" : "an integer from " + least + " to " + most;
    Long number = value(name, expected, json -> whole(json, least, most));
    return number == null ? standard : number;
  }

  /** Returns the integer {@code json}; null if it is not an integer in {@code [least, most]}. */
  public static @Nullable Long whole(JsonElement json, long least, long most) {
    try {
      if (json instanceof JsonPrimitive primitive && primitive.isNumber()) {
        long number = primitive.getAsBigDecimal().longValueExact();
        return number >= least && number <= most ? (Long) number : null;
      }
    } catch (ArithmeticException e) {
      // not an integer
    }
    return null;
  }

  /**
   * Returns the texts of {@code name}, a text or a list of at most {@code most} texts of 1 to
   * {@code longest} characters.
   */
  public List<String> texts(String name, int most, int longest) {
    JsonElement value = get(name);
    if (value == null) {
      return List.of();
    }
    List<String> texts = new ArrayList<>();
    for (JsonElement one : value.isJsonArray() ? value.getAsJsonArray() : List.of(value)) {
      if (!(one instanceof JsonPrimitive primitive && primitive.isString())
          || one.getAsString().isEmpty()) {
        throw wrong(name, "a text or a list of texts");
      }
      if (one.getAsString().length() > longest) {
        throw wrong(name, "texts of at most " + longest + " characters");
      }
      texts.add(one.getAsString());
    }
    if (texts.size() > most) {
      throw wrong(name, "at most " + most + " texts");
    }
    return texts;
  }

  /** Refuses {@code name} unless it is missing or one of {@code allowed}, written as JSON. */
  public void only(String name, String... allowed) {
    JsonElement value = get(name);
    if (value != null && !List.of(allowed).contains(value.toString())) {
      throw ApiException.wrong(
          name,
          "Unsupported value for '%s': found %s, allowed: %s."
              .formatted(name, value, String.join(", ", allowed)));
    }
  }
}
