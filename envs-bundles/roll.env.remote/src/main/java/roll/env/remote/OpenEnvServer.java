package roll.env.remote;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import roll.api.env.Scenario.Aggregation;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.bridge.PeerConnections;
import roll.bridge.PeerException;
import roll.bridge.PeerOptions;
import roll.bridge.ServerEndpoint;

/**
 * Environment of an OpenEnv server, with a WebSocket for each episode. The messages are those of
 * {@code src/openenv/core/env_server} ({@code http_server.py}, {@code types.py}) in
 * huggingface/OpenEnv, commit 385de5ebb8d08d51d000d7dfc19de5f3c6a9c215.
 *
 * @param place endpoint of the WebSockets
 * @param sessions limit of concurrent sessions of the server
 * @param told arguments of each reset beside the seed
 * @param start timeout of the start of an episode
 * @param patience timeout of a step
 */
record OpenEnvServer(
    PeerConnections connections,
    ServerEndpoint place,
    SessionLimit sessions,
    JsonObject told,
    ActionFormat actions,
    ObservationFormat observations,
    Duration start,
    Duration patience) {
  /** Metric: whether the server accepted the action. */
  static final String VALID = "action_is_valid";

  /**
   * Connects to the server that {@code options} specify, and reads its schemas.
   *
   * @param sessions limits of known servers by address
   * @throws UserException if that fails
   */
  static RemoteScenario of(
      Options options, PeerConnections connections, Map<URI, SessionLimit> sessions) {
    Options form = options.get(RemoteOptions.OPENENV).checked(OpenEnvOptions.ALL);
    ServerEndpoint address = RemoteOptions.openEnv(options);
    String base = address.url().toString().replaceFirst("/(ws/?)?$", "");
    try {
      JsonObject schema = schema(connections, address, base, PeerOptions.startTimeout(options));
      URI sockets = URI.create(base.replaceFirst("^(?i)http", "ws") + "/ws");
      ServerEndpoint place = new ServerEndpoint(sockets, address.headers());
      OpenEnvServer world =
          new OpenEnvServer(
              connections,
              place,
              sessions.computeIfAbsent(sockets, _ -> new SessionLimit(place.shown())),
              RemoteOptions.told(options),
              ActionFormat.of(form, new JsonSchema(new AnswerFields(schema).mapping("action"))),
              ObservationFormat.of(
                  form, JsonSchema.sent(new AnswerFields(schema).mapping("observation"))),
              PeerOptions.startTimeout(options),
              PeerOptions.timeout(options));
      return new RemoteScenario(
          () -> new OpenEnvEpisode(world),
          form.get(OpenEnvOptions.INSTRUCTION),
          RemoteScenario.ACTION,
          Map.of(VALID, Aggregation.MEAN));
    } catch (PeerException | IllegalArgumentException e) {
      throw new UserException(options.where() + ": " + e.getMessage(), e);
    }
  }

  private static JsonObject schema(
      PeerConnections connections, ServerEndpoint address, String base, Duration patience) {
    URI url = URI.create(base.replaceFirst("^(?i)ws", "http") + "/schema");
    String text = connections.get(url, address.headers(), patience);
    try {
      JsonElement read = JsonParser.parseString(text);
      if (read instanceof JsonObject schema) {
        return schema;
      }
    } catch (JsonParseException | StackOverflowError e) {
      // said below
    }
    throw PeerException.refused(url + " answered with what is no schema of OpenEnv");
  }
}
