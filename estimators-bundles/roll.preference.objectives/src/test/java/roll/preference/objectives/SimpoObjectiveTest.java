package roll.preference.objectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.preference.PreferenceObjective;
import roll.api.preference.PreferenceResult;
import roll.testkit.PreferenceContract;

class SimpoObjectiveTest extends PreferenceContract {
  @Override
  protected PreferenceObjective objective() {
    return new SimpoObjective();
  }

  /** Rewards 2 · (−1, −3, −3/2, −1), margins 4 and −1: (log(1 + e^−3.5) + log(1 + e^1.5)) / 2. */
  @Test
  void meanLogProbsAreCompared() {
    PreferenceResult result = evaluate(TwoPairs.pairs());
    assertEquals(0.8655818481276865, result.loss(), 1e-14);
    assertArrayEquals(new double[] {-2, -6, -3, -2}, result.rewards(), 1e-14);
    double first = 1 / (1 + Math.exp(3.5));
    double second = 1 / (1 + Math.exp(-1.5));
    double[] gradient = {-first / 4, first / 3, -second / 2, second / 5};
    assertArrayEquals(gradient, result.gradient(), 1e-14);
    assertEquals(
        (Math.log1p(Math.exp(-4)) + Math.log1p(Math.exp(1))) / 2,
        evaluate(TwoPairs.pairs(), Map.of("simpo_gamma", 0)).loss(),
        1e-14);
  }
}
