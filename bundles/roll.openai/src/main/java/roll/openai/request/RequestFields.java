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
 * The parameters of a request. One that is null counts as left out; a wrong one is an {@link
 * ApiException} that names it.
 */
public final class RequestFields {
  private static final Gson GSON =
      new GsonBuilder()
          .setStrictness(Strictness.STRICT)
          .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
          .create();

  /** Longer ones are nobody's slip of the pen. */
  private static final int LONGEST_NAME = 100;

  private final JsonObject json;

  private RequestFields(JsonObject json) {
    this.json = json;
  }

  /** The parameters in {@code body}, each of which must be {@code known}. */
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
   * The JSON object that {@code body} is, in Java's own types.
   *
   * @throws ApiException if it is none
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

  /** JSON as Java's own types: maps, lists, text, Long, Double, Boolean, null. */
  public static Object plain(JsonElement json) {
    return GSON.fromJson(json, Object.class);
  }

  /** The parameter, or null where it is left out. */
  @Nullable JsonElement get(String name) {
    JsonElement value = json.get(name);
    return value == null || value.isJsonNull() ? null : value;
  }

  boolean has(String name) {
    return get(name) != null;
  }

  /** The complaint that {@code name} is not what it must be. */
  ApiException wrong(String name, String expected) {
    JsonElement value = get(name);
    String found = value == null ? "nothing" : value.toString();
    return ApiException.wrong(
        name,
        "Invalid value for '%s': expected %s, found %s."
            .formatted(
                name, expected, found.length() > 100 ? found.substring(0, 100) + "…" : found));
  }

  /** A type of values. */
  private interface JsonType<T> {
    /** The value; null where {@code json} is of another type. */
    @Nullable T of(JsonPrimitive json);
  }

  /**
   * The value of {@code name}; null where it is left out.
   *
   * @throws ApiException where it is of another type, which says what is {@code expected}
   */
  private <T> @Nullable T value(String name, String expected, JsonType<T> type) {
    JsonElement given = get(name);
    T value = given instanceof JsonPrimitive primitive ? type.of(primitive) : null;
    if (given != null && value == null) {
      throw wrong(name, expected);
    }
    return value;
  }

  /** A text; null where it is left out. */
  public @Nullable String text(String name) {
    return value(name, "a text", json -> json.isString() ? json.getAsString() : null);
  }

  boolean flag(String name) {
    Boolean flag =
        value(name, "true or false", json -> json.isBoolean() ? json.getAsBoolean() : null);
    return flag != null && flag;
  }

  double number(String name, double standard) {
    Double number = value(name, "a number", json -> json.isNumber() ? json.getAsDouble() : null);
    return number == null ? standard : number;
  }

  /** An integer within {@code [least, most]}. */
  long integer(String name, long standard, long least, long most) {
    String expected =
        most == Long.MAX_VALUE ? "an integer" : "an integer from " + least + " to " + most;
    Long number = value(name, expected, json -> whole(json, least, most));
    return number == null ? standard : number;
  }

  /** The integer that {@code json} is; null where it is none within {@code [least, most]}. */
  static @Nullable Long whole(JsonElement json, long least, long most) {
    try {
      if (json instanceof JsonPrimitive primitive && primitive.isNumber()) {
        long number = primitive.getAsBigDecimal().longValueExact();
        return number >= least && number <= most ? (Long) number : null;
      }
    } catch (ArithmeticException e) {
      // it is none
    }
    return null;
  }

  /**
   * A text or a list of at most {@code most} texts, none of them empty or of more than {@code
   * longest} characters.
   */
  List<String> texts(String name, int most, int longest) {
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

  /** Refuses {@code name} unless it is left out or one of {@code allowed}, written as JSON. */
  void only(String name, String... allowed) {
    JsonElement value = get(name);
    if (value != null && !List.of(allowed).contains(value.toString())) {
      throw ApiException.wrong(
          name,
          "Unsupported value: '%s' of %s is not supported by this server; allowed: %s."
              .formatted(name, value, String.join(", ", allowed)));
    }
  }
}
