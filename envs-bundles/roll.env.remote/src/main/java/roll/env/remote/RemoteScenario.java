package roll.env.remote;

import java.util.Map;
import java.util.function.Supplier;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Scenario;

/**
 * A world that others play.
 *
 * @param players who play its episodes, one for each
 * @param instruction what the agent is told
 * @param respond how an action is written in a response, with {@code {action}} in its place
 * @param aggregations of metrics
 */
record RemoteScenario(
    Supplier<EpisodeClient> players,
    String instruction,
    String respond,
    Map<String, Aggregation> aggregations)
    implements Scenario {
  /** What stands for an action. */
  static final String ACTION = "{action}";

  /** A response that does {@code action}. */
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
