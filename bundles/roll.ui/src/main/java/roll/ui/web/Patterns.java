package roll.ui.web;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.http.HttpRefusal;

/** Endpoints by method and path, such as {@code GET /api/runs/{id}}. */
public final class Patterns {
  private final List<Pattern> patterns = new ArrayList<>();

  private record Pattern(String method, String[] parts, Endpoint endpoint) {
    @Nullable List<String> values(String[] path) {
      if (path.length != parts.length) {
        return null;
      }
      List<String> values = new ArrayList<>();
      for (int i = 0; i < parts.length; i++) {
        if (parts[i].startsWith("{")) {
          values.add(path[i]);
        } else if (!parts[i].equals(path[i])) {
          return null;
        }
      }
      return values;
    }
  }

  /**
   * What fits a request.
   *
   * @param values of the pattern's variables
   */
  public record Match(Endpoint endpoint, List<String> values) {}

  /** The given ones; a variable stands for one segment that is not empty. */
  public Patterns(Map<String, Endpoint> endpoints) {
    new LinkedHashMap<>(endpoints)
        .forEach(
            (key, endpoint) -> {
              String[] words = key.split(" ", 2);
              patterns.add(new Pattern(words[0], words[1].split("/", -1), endpoint));
            });
  }

  /** All of them, as they were given. */
  public List<String> all() {
    return patterns.stream()
        .map(pattern -> pattern.method() + " " + String.join("/", pattern.parts()))
        .toList();
  }

  /**
   * What answers {@code method} at {@code path}.
   *
   * @throws HttpRefusal 404 if nothing is there, 405 if it takes another method
   */
  public Match match(String method, String path) {
    String[] parts = path.split("/", -1);
    boolean there = false;
    for (Pattern pattern : patterns) {
      List<String> values = pattern.values(parts);
      if (values != null && values.stream().noneMatch(String::isEmpty)) {
        if (pattern.method().equals(method)) {
          return new Match(pattern.endpoint(), values);
        }
        there = true;
      }
    }
    throw there
        ? new HttpRefusal(405, method + " is not answered here")
        : new HttpRefusal(404, "nothing is at " + path);
  }
}
