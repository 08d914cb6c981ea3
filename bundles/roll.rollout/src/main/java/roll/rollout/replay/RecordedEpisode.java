package roll.rollout.replay;

import java.util.List;
import roll.api.data.TrajectoryKey;

/**
 * An episode as the line of a file has it, as far as it takes to play it again.
 *
 * @param key which episode it is
 * @param turns in order
 * @param finish why it ended
 */
record RecordedEpisode(TrajectoryKey key, List<Turn> turns, String finish) {
  /**
   * A turn.
   *
   * @param response with special tokens, as the world read it
   * @param text without them
   * @param results of the tools that it called; empty where the world was acted in
   * @param reward that it earned, those of rewards among it
   * @param state in which it was taken, see {@link roll.api.data.Trajectory#state(String)}
   */
  record Turn(String response, String text, List<String> results, double reward, long state) {}

  /** Whether training played it, by its seed: see {@link roll.rollout.supervise.EpisodeSlot}. */
  boolean training() {
    return key.seed() % 2 == 0;
  }
}
