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
import roll.bridge.AddressPlace;
import roll.bridge.PeerDialogues;
import roll.bridge.PeerException;
import roll.bridge.PeerOptions;

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
record OpenEnvWorld(
    PeerDialogues dialogues,
    AddressPlace place,
    SessionLimit sessions,
    JsonObject told,
    ActionForm actions,
    ObservationForm observations,
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
  static BridgedScenario of(
      Options options, PeerDialogues dialogues, Map<URI, SessionLimit> sessions) {
    Options form = options.get(RemoteOptions.OPENENV).checked(OpenEnvOptions.ALL);
    AddressPlace address = RemoteOptions.openEnv(options);
    String base = address.url().toString().replaceFirst("/(ws/?)?$", "");
    try {
      JsonObject schema = schema(dialogues, address, base, PeerOptions.startTimeout(options));
      URI sockets = URI.create(base.replaceFirst("^(?i)http", "ws") + "/ws");
      AddressPlace place = new AddressPlace(sockets, address.headers());
      OpenEnvWorld world =
          new OpenEnvWorld(
              dialogues,
              place,
              sessions.computeIfAbsent(sockets, _ -> new SessionLimit(place.shown())),
              RemoteOptions.told(options),
              ActionForm.of(form, new JsonSchema(new AnswerReader(schema).mapping("action"))),
              ObservationForm.of(
                  form, JsonSchema.sent(new AnswerReader(schema).mapping("observation"))),
              PeerOptions.startTimeout(options),
              PeerOptions.timeout(options));
      return new BridgedScenario(
          () -> new OpenEnvPlayer(world),
          form.get(OpenEnvOptions.INSTRUCTION),
          BridgedScenario.ACTION,
          Map.of(VALID, Aggregation.MEAN));
    } catch (PeerException | IllegalArgumentException e) {
      throw new UserException(options.where() + ": " + e.getMessage(), e);
    }
  }

  private static JsonObject schema(
      PeerDialogues dialogues, AddressPlace address, String base, Duration patience) {
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
