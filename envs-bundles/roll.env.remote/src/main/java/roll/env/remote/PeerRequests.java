package roll.env.remote;

import com.google.gson.JsonObject;
import roll.api.env.EpisodeStart;

/** Requests of the protocol in README.md. */
final class PeerRequests {
  private static final int PROTOCOL = 1;

  private PeerRequests() {}

  /** Creates the first request to each peer. */
  static JsonObject describe(JsonObject options) {
    JsonObject request = of("describe");
    request.addProperty("protocol", PROTOCOL);
    request.add("options", options);
    return request;
  }

  /** Creates a request to start {@code episode}. */
  static JsonObject reset(String episode, EpisodeStart start, JsonObject options) {
    JsonObject request = of("reset", episode);
    request.addProperty("seed", start.seed());
    JsonObject place = new JsonObject();
    place.addProperty("purpose", start.purpose());
    place.addProperty("root", start.root());
    place.addProperty("position", start.position());
    place.addProperty("groups", start.groups());
    place.addProperty("draw", start.draw());
    request.add("start", place);
    request.add("options", options);
    return request;
  }

  /** Creates a request with the agent's response. */
  static JsonObject step(String episode, String action) {
    JsonObject request = of("step", episode);
    request.addProperty("action", action);
    return request;
  }

  /** Creates a request for a picture for users. */
  static JsonObject render(String episode) {
    return of("render", episode);
  }

  /** Creates a request to end an episode. */
  static JsonObject close(String episode) {
    return of("close", episode);
  }

  private static JsonObject of(String op, String episode) {
    JsonObject request = of(op);
    request.addProperty("episode", episode);
    return request;
  }

  private static JsonObject of(String op) {
    JsonObject request = new JsonObject();
    request.addProperty("op", op);
    return request;
  }
}
