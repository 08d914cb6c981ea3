package roll.env.remote;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import roll.api.env.Scenario.Aggregation;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.bridge.PeerException;
import roll.bridge.PeerPools;
import roll.bridge.PeerSpec;

/** Scenarios of peers that implement the protocol of README.md. */
final class PeerScenarios {
  private PeerScenarios() {}

  /**
   * Starts a peer that {@code options} specify, and reads its description.
   *
   * @throws UserException if that fails
   */
  static RemoteScenario of(Options options, PeerPools pools) {
    PeerSpec peers = RemoteOptions.peers(options);
    JsonObject told = RemoteOptions.told(options);
    try {
      AnswerFields described = new AnswerFields(pools.greeting(peers));
      return new RemoteScenario(
          () -> new PeerEpisode(pools.open(peers), told.deepCopy()),
          described.text("instruction", ""),
          described.text("respond", RemoteScenario.ACTION),
          aggregations(described.mapping("aggregations")));
    } catch (PeerException e) {
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
        throw PeerException.refused(
            "the answer's aggregations.%s is %s; it must be one of mean, sum, max, min, first, last"
                .formatted(entry.getKey(), how));
      }
    }
    return aggregations;
  }
}
