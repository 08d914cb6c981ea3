package roll.openai.request;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.ToNumberPolicy;
import java.math.BigDecimal;
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
    JsonElement json;
    try {
      json = RequestJson.read(body, Strictness.STRICT);
    } catch (RequestJson.Problem e) {
      throw ApiException.status(400, "The body of the request " + e.getMessage() + ".", null);
    }
    if (!(json instanceof JsonObject object)) {
      throw ApiException.status(400, "The body of a request must be a JSON object.", null);
    }
    for (String name : object.keySet()) {
      if (!known.contains(name)) {
        String near = name.length() > LONGEST_NAME ? "" : Suggestion.near(name, known);
        throw ApiException.wrong(name, "Unknown parameter: '" + name + "'" + near + ".");
      }
    }
    return new RequestFields(object);
  }

  /**
   * The JSON object that {@code body} is, in Java's own types.
   *
   * @throws ApiException if it is none
   */
  public static Map<?, ?> object(String body) {
    try {
      if (RequestJson.read(body, Strictness.STRICT) instanceof JsonObject object) {
        return (Map<?, ?>) plain(object);
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

  /** A text; null where it is left out. */
  public @Nullable String text(String name) {
    JsonElement value = get(name);
    if (value == null) {
      return null;
    }
    if (value instanceof JsonPrimitive primitive && primitive.isString()) {
      return primitive.getAsString();
    }
    throw wrong(name, "a text");
  }

  boolean flag(String name) {
    JsonElement value = get(name);
    if (value == null) {
      return false;
    }
    if (value instanceof JsonPrimitive primitive && primitive.isBoolean()) {
      return primitive.getAsBoolean();
    }
    throw wrong(name, "true or false");
  }

  double number(String name, double standard) {
    JsonElement value = get(name);
    if (value == null) {
      return standard;
    }
    if (value instanceof JsonPrimitive primitive && primitive.isNumber()) {
      return primitive.getAsDouble();
    }
    throw wrong(name, "a number");
  }

  /** A whole number within {@code [least, most]}. */
  long integer(String name, long standard, long least, long most) {
    JsonElement value = get(name);
    if (value == null) {
      return standard;
    }
    if (value instanceof JsonPrimitive primitive && primitive.isNumber()) {
      try {
        long number = new BigDecimal(primitive.getAsString()).longValueExact();
        if (number >= least && number <= most) {
          return number;
        }
      } catch (ArithmeticException e) {
        // said below
      }
    }
    throw wrong(
        name,
        most == Long.MAX_VALUE ? "a whole number" : "a whole number from " + least + " to " + most);
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
