package roll.ui.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.http.HttpRefusal;

/** Endpoints by method and path, such as {@code GET /api/runs/{id}}. */
public final class Router {
  private final List<Route> routes = new ArrayList<>();

  private record Route(String method, String[] parts, Endpoint endpoint) {
    @Nullable List<String> values(String[] path) {
      if (path.length != parts.length) {
        return null;
      }
      List<String> values = new ArrayList<>();
      for (int i = 0; i < parts.length; i++) {
        if (parts[i].startsWith("{") && !path[i].isEmpty()) {
          values.add(path[i]);
        } else if (!parts[i].equals(path[i])) {
          return null;
        }
      }
      return values;
    }
  }

  /**
   * The route that matches a request.
   *
   * @param values of its variables
   */
  public record Match(Endpoint endpoint, List<String> values) {}

  /** A router; a variable matches one segment that is not empty. */
  public Router(Map<String, Endpoint> endpoints) {
    endpoints.forEach(
        (key, endpoint) -> {
          String[] words = key.split(" ", 2);
          routes.add(new Route(words[0], words[1].split("/", -1), endpoint));
        });
  }

  /** Returns method and path of all routes, in the given order. */
  public List<String> all() {
    return routes.stream()
        .map(route -> route.method() + " " + String.join("/", route.parts()))
        .toList();
  }

  /**
   * Returns the route of {@code method} at {@code path}.
   *
   * @throws HttpRefusal 404 if there is none, 405 if the path has another method
   */
  public Match match(String method, String path) {
    String[] parts = path.split("/", -1);
    boolean found = false;
    for (Route route : routes) {
      List<String> values = route.values(parts);
      if (values != null && route.method().equals(method)) {
        return new Match(route.endpoint(), values);
      }
      found |= values != null;
    }
    throw found
        ? new HttpRefusal(405, method + " is not answered here")
        : new HttpRefusal(404, "nothing is at " + path);
  }
}
