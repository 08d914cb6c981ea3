package roll.ui.web;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/**
 * A request that matches a route.
 *
 * @param path the values of the variables of the route, in order
 * @param query the parameters, decoded; the last one of each name
 * @param body empty where there is none
 */
public record ApiRequest(List<String> path, Map<String, String> query, byte[] body) {
  /**
   * Returns the parameters of a query string.
   *
   * @throws UserException if an escape is invalid
   */
  static Map<String, String> parameters(@Nullable String query) {
    Map<String, String> values = new LinkedHashMap<>();
    if (query == null || query.isEmpty()) {
      return values;
    }
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      values.put(decoded(name), equals < 0 ? "" : decoded(pair.substring(equals + 1)));
    }
    return values;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new UserException("query: '" + text + "' has an invalid escape", e);
    }
  }

  /** Returns the value of variable {@code index} of the route. */
  public String part(int index) {
    return path.get(index);
  }

  /** Returns the parameter {@code name}, or {@code fallback}. */
  public String text(String name, String fallback) {
    return query.getOrDefault(name, fallback);
  }

  /** Returns the parameter {@code name}, separated at commas, each part once. */
  public List<String> list(String name) {
    return Stream.of(text(name, "").split(",", -1))
        .filter(part -> !part.isEmpty())
        .distinct()
        .toList();
  }

  /**
   * Returns the parameter {@code name} as an integer, or {@code fallback}.
   *
   * @throws UserException if it is not an integer from {@code min} to {@code max}
   */
  public int number(String name, int fallback, int min, int max) {
    String text = query.get(name);
    if (text == null) {
      return fallback;
    }
    try {
      int number = Integer.parseInt(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new UserException(
        "%s: expected an integer from %d to %d, found '%s'".formatted(name, min, max, text));
  }

  /**
   * Returns the body as a JSON object.
   *
   * @throws UserException if it is not one
   */
  public JsonObject json() {
    try {
      JsonElement json = JsonParser.parseString(new String(body, StandardCharsets.UTF_8));
      if (json.isJsonObject()) {
        return json.getAsJsonObject();
      }
    } catch (JsonParseException e) {
      // reported below
    }
    throw new UserException("body: expected a JSON object");
  }
}
