package roll.env.remote;

import java.util.Map;
import java.util.function.Supplier;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Scenario;

/**
 * Scenario whose episodes are played by a remote environment.
 *
 * @param players creates the client of each episode
 * @param instruction instruction of the agent
 * @param respond template of a response, with {@code {action}} for the action
 * @param aggregations aggregations of metrics
 */
record RemoteScenario(
    Supplier<EpisodeClient> players,
    String instruction,
    String respond,
    Map<String, Aggregation> aggregations)
    implements Scenario {
  /** Placeholder of an action in a response. */
  static final String ACTION = "{action}";

  /** Returns a response that contains {@code action}. */
  String respond(String action) {
    return respond.replace(ACTION, action);
  }

  @Override
  public Episode reset(long seed) {
    return reset(EpisodeStart.of(seed));
  }

  @Override
  public Episode reset(EpisodeStart start) {
    EpisodeClient player = players.get();
    try {
      return RemoteEpisode.begin(this, player, start);
    } catch (RuntimeException e) {
      player.close();
      throw e;
    }
  }
}
