package roll.core.step;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;

/** One tag that speaks at least once, and one that never does. */
class EmptyEpisodeNoticeTest {
  /**
   * @param turns of each token, −1 for those of the prompt
   */
  private static Trajectory played(String tag, String finish, int... turns) {
    int n = turns.length;
    Sequence sequence = new Sequence(new int[n], turns, new double[n], new long[n]);
    return new Trajectory(
        new TrajectoryKey(tag, 0, 0, 0, 0),
        List.of(sequence),
        new double[0],
        new long[0],
        List.of(),
        Map.of(),
        finish);
  }

  @Test
  void onlyATagWithoutAnyTokenIsTold() {
    List<Trajectory> played =
        List.of(
            played("Long", "max_model_len", -1, -1),
            played("Short", "max_length", -1, -1),
            played("Long", "max_model_len", -1),
            played("Short", "terminated", -1, 0));
    assertEquals(
        List.of(
            "custom_envs.Long: no token was written in any of 2 episodes, the first ended by"
                + " max_model_len; does the first prompt leave room for a response in"
                + " sequence_length 128?"),
        EmptyEpisodeNotice.lines(played, 128));
    assertEquals(List.of(), EmptyEpisodeNotice.lines(List.of(), 128));
  }
}
