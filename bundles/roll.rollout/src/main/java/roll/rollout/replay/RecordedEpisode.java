package roll.rollout.replay;

import java.util.List;
import roll.api.data.TrajectoryKey;

/**
 * A recorded episode with the data that a replay needs.
 *
 * @param key identity of the episode
 * @param turns turns in order
 * @param finish finish reason
 */
record RecordedEpisode(TrajectoryKey key, List<Turn> turns, String finish) {
  /**
   * A recorded turn.
   *
   * @param response response with special tokens, as the environment read it
   * @param text response without special tokens
   * @param results results of the tools that it called; empty for an action
   * @param reward its reward, including reward functions
   * @param state state hash before the turn, see {@link roll.api.data.Trajectory#state(String)}
   */
  record Turn(String response, String text, List<String> results, double reward, long state) {}

  /**
   * Returns whether the recorded episode is of training, by its seed: see {@link
   * roll.rollout.supervise.EpisodeSlot}.
   */
  boolean training() {
    return key.seed() % 2 == 0;
  }
}
