package roll.preference.objectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.preference.PreferenceObjective;
import roll.api.preference.PreferenceResult;
import roll.testkit.PreferenceContract;

class IpoObjectiveTest extends PreferenceContract {
  @Override
  protected PreferenceObjective objective() {
    return new IpoObjective();
  }

  /** Mean log-ratios 1/2, −1/3, −1/2, 1/10: margins 5/6 and −3/5, the target is 5. */
  @Test
  void marginsOfMeansApproachTheTarget() {
    PreferenceResult result = evaluate(TwoPairs.pairs());
    assertEquals((Math.pow(25 / 6.0, 2) + 5.6 * 5.6) / 2, result.loss(), 1e-13);
    double[] gradient = {-25 / 24.0, 25 / 18.0, -2.8, 1.12};
    assertArrayEquals(gradient, result.gradient(), 1e-13);
    assertArrayEquals(new double[] {0.2, -0.1, -0.1, 0.05}, result.rewards(), 1e-14);
  }

  /** Margins 3 and −1.5: (2² + 6.5²) / 2. */
  @Test
  void sumsAreThoseOfRoll() {
    assertEquals(23.125, evaluate(TwoPairs.pairs(), Map.of("per_token", false)).loss(), 1e-13);
  }
}
