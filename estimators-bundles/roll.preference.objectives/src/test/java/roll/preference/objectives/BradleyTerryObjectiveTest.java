package roll.preference.objectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.preference.PreferenceBatch;
import roll.api.preference.PreferenceBatch.Pair;
import roll.api.preference.PreferenceObjective;
import roll.api.preference.PreferenceResult;
import roll.testkit.PreferenceContract;

class BradleyTerryObjectiveTest extends PreferenceContract {
  private static final double[] SCORES = {1.5, 0.5, -1, 2};

  @Override
  protected PreferenceObjective objective() {
    return new BradleyTerryObjective();
  }

  private static PreferenceBatch scored(double margin) {
    return new PreferenceBatch(
        SCORES,
        SCORES,
        new int[] {1, 1, 1, 1},
        new boolean[] {true, false, true, false},
        List.of(new Pair(0, 1, margin), new Pair(2, 3)),
        0);
  }

  /** Differences 1 and −3: (log(1 + e^−1) + log(1 + e^3)) / 2. */
  @Test
  void differencesOfScoresAreCompared() {
    PreferenceResult result = evaluate(scored(0));
    assertEquals(1.6809245195459825, result.loss(), 1e-14);
    assertArrayEquals(SCORES, result.rewards());
    double first = 0.2689414213699951 / 2; // σ(−1)
    double second = 0.9525741268224334 / 2; // σ(3)
    assertArrayEquals(new double[] {-first, first, -second, second}, result.gradient(), 1e-14);
  }

  /** With a margin of 2 the first difference is −1: (log(1 + e) + log(1 + e^3)) / 2. */
  @Test
  void marginsAreSubtracted() {
    assertEquals(2.1809245195459823, evaluate(scored(2)).loss(), 1e-14);
  }

  /** Sums 2 and 1: 0.1 (4 + 1) / 2 more. */
  @Test
  void scoresAreCentered() {
    PreferenceResult result = evaluate(scored(0), Map.of("center_rewards_coefficient", 0.1));
    assertEquals(1.6809245195459825 + 0.25, result.loss(), 1e-14);
    assertEquals(-0.2689414213699951 / 2 + 0.2, result.gradient()[0], 1e-14);
    assertEquals(0.9525741268224334 / 2 + 0.1, result.gradient()[3], 1e-14);
  }
}
