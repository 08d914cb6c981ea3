package roll.env.remote;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Start;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.bridge.PeerChannel;
import roll.bridge.PeerException;
import roll.bridge.PeerPools;
import roll.bridge.PeerSpec;

/**
 * A world that peers play.
 *
 * @param pools where its peers are found
 * @param peers which those are
 * @param options what the world is told with each reset
 * @param instruction what the agent is told
 * @param respond how an action is written in a response, with {@code {action}} in its place
 * @param aggregations of metrics
 */
record BridgedScenario(
    PeerPools pools,
    PeerSpec peers,
    JsonObject options,
    String instruction,
    String respond,
    Map<String, Aggregation> aggregations)
    implements Scenario {
  private static final String ACTION = "{action}";

  /**
   * The world that {@code options} name, described by a peer, which is started for it.
   *
   * @throws UserException if there is none that answers
   */
  static BridgedScenario of(Options options, PeerPools pools) {
    PeerSpec peers = RemoteOptions.peers(options);
    try {
      AnswerReader described = new AnswerReader(pools.greeting(peers));
      return new BridgedScenario(
          pools,
          peers,
          RemoteOptions.told(options),
          described.text("instruction", ""),
          described.text("respond", ACTION),
          aggregations(described.mapping("aggregations")));
    } catch (PeerException | IllegalArgumentException e) {
      throw new UserException(options.where() + ": " + e.getMessage(), e);
    }
  }

  private static Map<String, Aggregation> aggregations(JsonObject given) {
    Map<String, Aggregation> aggregations = new LinkedHashMap<>();
    for (Map.Entry<String, JsonElement> entry : given.entrySet()) {
      String how = entry.getValue().toString().replace("\"", "");
      try {
        aggregations.put(entry.getKey(), Aggregation.valueOf(how.toUpperCase(Locale.ROOT)));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "the answer's aggregations.%s is %s; it must be one of mean, sum, max, min, first, last"
                .formatted(entry.getKey(), how),
            e);
      }
    }
    return aggregations;
  }

  /** A response that does {@code action}. */
  String respond(String action) {
    return respond.replace(ACTION, action);
  }

  @Override
  public Episode reset(long seed) {
    return reset(Start.of(seed));
  }

  @Override
  public Episode reset(Start start) {
    PeerChannel session = pools.open(peers);
    try {
      return BridgedEpisode.begin(this, session, start);
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }
}
