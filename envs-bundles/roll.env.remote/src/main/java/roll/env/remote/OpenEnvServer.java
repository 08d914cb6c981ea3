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
 * The world of a server that speaks OpenEnv: a WebSocket for each episode. The messages are those
 * of {@code src/openenv/core/env_server} ({@code http_server.py}, {@code types.py}) in
 * huggingface/OpenEnv, commit 385de5ebb8d08d51d000d7dfc19de5f3c6a9c215.
 *
 * @param place of its WebSockets
 * @param sessions how many sessions it has for all who play there
 * @param told what each reset is told beside the seed
 * @param start how long an episode may take to begin
 * @param patience how long a step may take
 */
record OpenEnvServer(
    PeerConnections dialogues,
    ServerEndpoint place,
    SessionLimit sessions,
    JsonObject told,
    ActionFormat actions,
    ObservationFormat observations,
    Duration start,
    Duration patience) {
  /** The metric that says whether the server took the action. */
  static final String VALID = "action_is_valid";

  /**
   * The world that {@code options} name, whose server says what its actions and observations are.
   *
   * @param sessions of the servers that are played with, by their addresses
   * @throws UserException if there is none
   */
  static RemoteScenario of(
      Options options, PeerConnections dialogues, Map<URI, SessionLimit> sessions) {
    Options form = options.get(RemoteOptions.OPENENV).checked(OpenEnvOptions.ALL);
    ServerEndpoint address = RemoteOptions.openEnv(options);
    String base = address.url().toString().replaceFirst("/(ws/?)?$", "");
    try {
      JsonObject schema = schema(dialogues, address, base, PeerOptions.startTimeout(options));
      URI sockets = URI.create(base.replaceFirst("^(?i)http", "ws") + "/ws");
      ServerEndpoint place = new ServerEndpoint(sockets, address.headers());
      OpenEnvServer world =
          new OpenEnvServer(
              dialogues,
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
      PeerConnections dialogues, ServerEndpoint address, String base, Duration patience) {
    URI url = URI.create(base.replaceFirst("^(?i)ws", "http") + "/schema");
    String text = dialogues.get(url, address.headers(), patience);
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
