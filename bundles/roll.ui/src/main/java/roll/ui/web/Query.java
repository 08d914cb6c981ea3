package roll.ui.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/** The parameters of an address. */
final class Query {
  private Query() {}

  /**
   * The parameters of {@code query}, decoded.
   *
   * @throws UserException if an escape is wrong
   */
  static Map<String, String> of(@Nullable String query) {
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
      throw new UserException("query: '" + text + "' has a wrong escape", e);
    }
  }
}
