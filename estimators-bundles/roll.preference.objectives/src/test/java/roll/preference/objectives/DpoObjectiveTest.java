package roll.preference.objectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.preference.PreferenceObjective;
import roll.api.preference.PreferenceResult;
import roll.testkit.PreferenceContract;

class DpoObjectiveTest extends PreferenceContract {
  @Override
  protected PreferenceObjective objective() {
    return new DpoObjective();
  }

  @Override
  protected Map<String, Object> args() {
    return Map.of("label_smoothing", 0.1);
  }

  /**
   * Margins 0.1 · (2 + 1) = 0.3 and 0.1 · (−1 − 0.5) = −0.15: losses log(1 + e^−0.3) = 0.554355 and
   * log(1 + e^0.15) = 0.770957; slopes −0.1 / 2 · σ(−0.3) and −0.1 / 2 · σ(0.15).
   */
  @Test
  void pairsHaveTheLossOfTheirMargin() {
    PreferenceResult result = evaluate(TwoPairs.pairs(), Map.of("beta", 0.1));
    assertEquals(0.6626561461290296, result.loss(), 1e-14);
    double[] gradient = {
      -0.02127787415941705, 0.02127787415941705, -0.02687149226718748, 0.02687149226718748
    };
    assertArrayEquals(gradient, result.gradient(), 1e-14);
    assertArrayEquals(new double[] {0.2, -0.1, -0.1, 0.05}, result.rewards(), 1e-14);
  }

  /** A fifth swapped adds 0.2 · m to the loss of a pair: 0.2 · (0.3 − 0.15) / 2 = 0.015. */
  @Test
  void smoothedLabelsAreThoseOfConservativeDpo() {
    PreferenceResult result = evaluate(TwoPairs.pairs(), Map.of("label_smoothing", 0.2));
    assertEquals(0.6776561461290296, result.loss(), 1e-14);
  }
}
