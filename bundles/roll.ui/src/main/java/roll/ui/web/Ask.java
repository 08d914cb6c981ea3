package roll.ui.web;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import roll.api.option.UserException;

/**
 * A request that fits a pattern.
 *
 * @param path the values of the pattern's variables, in order
 * @param query the parameters, decoded; of several of one name the last
 * @param body empty where there is none
 */
public record Ask(List<String> path, Map<String, String> query, byte[] body) {
  /** The value of the pattern's variable {@code index}. */
  public String part(int index) {
    return path.get(index);
  }

  /**
   * The same as a number.
   *
   * @throws UserException if it is none, or less than 0
   */
  public int count(int index) {
    return number("path", path.get(index), 0, Integer.MAX_VALUE);
  }

  /** The parameter {@code name}, or {@code fallback}. */
  public String text(String name, String fallback) {
    return query.getOrDefault(name, fallback);
  }

  /**
   * The parameter {@code name} as a number, or {@code fallback}.
   *
   * @throws UserException if it is none from {@code least} to {@code most}
   */
  public int number(String name, int fallback, int least, int most) {
    String text = query.get(name);
    return text == null ? fallback : number(name, text, least, most);
  }

  private static int number(String name, String text, int least, int most) {
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new UserException(
        "%s: expected a number from %d to %d, found '%s'".formatted(name, least, most, text));
  }

  /**
   * The body as a JSON object.
   *
   * @throws UserException if it is none
   */
  public JsonObject json() {
    try {
      JsonElement body = JsonParser.parseString(new String(body(), StandardCharsets.UTF_8));
      if (body.isJsonObject()) {
        return body.getAsJsonObject();
      }
    } catch (JsonParseException e) {
      // said below
    }
    throw new UserException("body: expected a JSON object");
  }
}
