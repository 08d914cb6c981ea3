package roll.preference.objectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import roll.api.preference.PreferenceObjective;
import roll.api.preference.PreferenceResult;
import roll.testkit.PreferenceContract;

class OrpoObjectiveTest extends PreferenceContract {
  @Override
  protected PreferenceObjective objective() {
    return new OrpoObjective();
  }

  /**
   * Cross entropy (4 + 3) / 6. Log-odds of the mean log-probs −1, −3, −3/2 and −1: −0.541325,
   * −2.948931, −1.247518 and −0.541325; margins 2.407606 and −0.706193.
   */
  @Test
  void chosenAnswersAreLearnedAndTheirOddsRaised() {
    PreferenceResult result = evaluate(TwoPairs.pairs());
    assertEquals(1.2263433626267413, result.loss(), 1e-14);
    assertEquals(7 / 6.0, result.metrics().getOrDefault("nll_loss", 0.0), 1e-14);
    assertArrayEquals(new double[] {-0.1, -0.3, -0.15, -0.1}, result.rewards(), 1e-14);
    double second = -0.1 / 2 / (1 + Math.exp(-0.7061926864616279));
    double[] gradient = result.gradient();
    assertEquals(second / (1 - Math.exp(-1.5)) / 2 - 1 / 6.0, gradient[2], 1e-14);
    assertEquals(-second / (1 - Math.exp(-1)) / 5, gradient[3], 1e-14);
  }
}
