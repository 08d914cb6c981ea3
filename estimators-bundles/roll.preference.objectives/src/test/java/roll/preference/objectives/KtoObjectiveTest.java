package roll.preference.objectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.preference.PreferenceObjective;
import roll.api.preference.PreferenceResult;
import roll.testkit.PreferenceContract;

class KtoObjectiveTest extends PreferenceContract {
  @Override
  protected PreferenceObjective objective() {
    return new KtoObjective();
  }

  /** With z = 0.5: σ(0.15) twice for the first pair, σ(−0.15) and σ(0) for the second. */
  @Test
  void labelsAreComparedWithTheDivergence() {
    PreferenceResult result = evaluate(TwoPairs.singles(0.5));
    double half = 1 / (1 + Math.exp(-0.15));
    assertEquals((2 * (1 - half) + half + 0.5) / 4, result.loss(), 1e-14);
    double slope = 0.1 * half * (1 - half) / 4;
    assertArrayEquals(new double[] {-slope, slope, -slope, 0.1 / 16}, result.gradient(), 1e-14);
    assertArrayEquals(new double[] {0.2, -0.1, -0.1, 0.05}, result.rewards(), 1e-14);
    assertEquals(Map.of("kl", 0.5), result.metrics());
    assertEquals(
        0.6203212693320312,
        evaluate(TwoPairs.singles(0.5), Map.of("desirable_weight", 2, "undesirable_weight", 0.5))
            .loss(),
        1e-14);
  }
}
